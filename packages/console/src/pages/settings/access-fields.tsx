import { Checkbox, MultiSelect, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Session, useSession } from '../../api/session.ts';
import { type Id, parseId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useTypedText } from '../../parts/fields/use-typed-text.ts';

type Role = Session['operator']['role'];

// The compiler refuses a record that lacks a role, but not a list that does.
const isRole: Readonly<Record<Role, true>> = { viewer: true, manager: true, owner: true };

/** The roles, the least first. */
const roles = Object.keys(isRole) as readonly Role[];

/** An operator's role, and the tenants that it holds for. */
export interface Access {
  readonly role: Role;
  readonly all_tenants: boolean;
  readonly tenant_ids: Id[];
}

interface Props {
  readonly value: Access;
  readonly onChange: (access: Access) => void;
}

/** The roles to choose from, each explained in one line, and the tenants. The form is refused until there is a tenant. */
export function AccessFields({ value, onChange }: Props) {
  const { operators } = useTexts().settings;
  return (
    <Stack gap="sm">
      <Radio.Group
        label={operators.role}
        value={value.role}
        onChange={(next) => onChange({ ...value, role: roles.find((role) => role === next) ?? value.role })}
      >
        <Stack gap="xs" mt={4}>
          {roles.map((role) => (
            <Radio
              key={role}
              value={role}
              data-autofocus={role === value.role || undefined}
              label={operators.roles[role]}
              description={operators.roleHelp[role]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Checkbox
        label={operators.allTenants}
        description={operators.allTenantsHelp}
        checked={value.all_tenants}
        onChange={({ currentTarget }) => onChange({ ...value, all_tenants: currentTarget.checked })}
      />
      {!value.all_tenants && <TenantsField value={value} onChange={onChange} />}
    </Stack>
  );
}

function TenantsField({ value, onChange }: Props) {
  const { operators } = useTexts().settings;
  const { tenants } = useSession();
  const typed = useTypedText();
  const [isRefused, setRefused] = useState(false);
  return (
    <MultiSelect
      label={operators.tenants}
      withAsterisk
      // The field's own text is a search, so `required` would refuse the form after a choice too.
      ref={(input) => {
        input?.setCustomValidity(value.tenant_ids.length === 0 ? operators.noTenant : '');
      }}
      onInvalid={(event) => {
        event.preventDefault();
        setRefused(true);
      }}
      error={isRefused && value.tenant_ids.length === 0 && operators.noTenant}
      searchable
      data={tenants.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value.tenant_ids.map(String)}
      onChange={(ids) =>
        onChange({ ...value, tenant_ids: ids.map(parseId).filter((id) => id !== undefined) })
      }
      {...typed}
    />
  );
}
