import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orgsQuery, rolesQuery } from '../../../api/directory-lists.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { type PickedStore, StorePicker } from '../../../parts/fields/store-picker.tsx';
import { useTenant } from '../../../parts/use-tenant.ts';
import { orgPaths } from '../../../parts/values/org-paths.ts';
import { type BulkAction, noTarget } from './bulk-action.ts';

interface Props {
  readonly action: BulkAction;
  readonly onChoose: (choice: string | undefined) => void;
}

/** Chooses the role, the organization or the store; a status needs no choice. */
export function BulkChoice({ action, onChoose }: Props) {
  if (action === 'role') return <RoleChoice onChoose={onChoose} />;
  if (action === 'org') return <OrgChoice onChoose={onChoose} />;
  if (action === 'addStore' || action === 'removeStore') return <StoreChoice onChoose={onChoose} />;
  return null;
}

type ChoiceProps = Pick<Props, 'onChoose'>;

function RoleChoice({ onChoose }: ChoiceProps) {
  const { users } = useTexts();
  const { data = [] } = useQuery(rolesQuery(useTenant()));
  return (
    <Select
      label={users.role}
      data-autofocus
      data={[
        { value: noTarget, label: users.noRole },
        ...data.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={(value) => onChoose(value ?? undefined)}
    />
  );
}

function OrgChoice({ onChoose }: ChoiceProps) {
  const { users } = useTexts();
  const { data = [] } = useQuery(orgsQuery(useTenant()));
  const paths = orgPaths(data);
  return (
    <Select
      label={users.org}
      data-autofocus
      searchable
      limit={200}
      data={[
        { value: noTarget, label: users.noOrg },
        ...data.map(({ id }) => ({ value: String(id), label: paths.get(String(id)) ?? String(id) })),
      ]}
      onChange={(value) => onChoose(value ?? undefined)}
    />
  );
}

function StoreChoice({ onChoose }: ChoiceProps) {
  const { users, bulk } = useTexts();
  const [picked, setPicked] = useState<PickedStore>();
  return (
    <StorePicker
      label={users.store}
      showsLabel
      placeholder={bulk.findStore}
      isFirst
      picked={picked}
      onPick={(store) => {
        setPicked(store);
        onChoose(store?.code);
      }}
    />
  );
}
