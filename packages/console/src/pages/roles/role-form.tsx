import { limits } from '@fieldroster/contract/limits';
import { callDirectory } from '../../api/call.ts';
import type { Role } from '../../api/directory-lists.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EditForm } from '../../parts/fields/edit-form.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { useTenant } from '../../parts/use-tenant.ts';

interface Props {
  /** Without one, the form adds a role. */
  readonly edited: Role | undefined;
  readonly onClose: () => void;
}

/** The form that adds or edits a role. */
export function RoleForm({ edited, onClose }: Props) {
  const { general, targetsPages } = useTexts();
  const { roles: texts } = targetsPages;
  const tenant = useTenant();
  const invalidate = useInvalidate();
  return (
    <EditForm
      title={edited === undefined ? texts.add : texts.edit}
      action={edited === undefined ? texts.add : general.save}
      fields={[
        {
          name: 'name',
          label: texts.name,
          kind: 'line',
          isRequired: true,
          charactersMax: limits.roleNameCharactersMax,
        },
        { name: 'code', label: texts.code, kind: 'line', charactersMax: limits.roleCodeCharactersMax },
        {
          name: 'description',
          label: texts.description,
          kind: 'text',
          charactersMax: limits.descriptionCharactersMax,
        },
      ]}
      initial={{
        name: edited?.name ?? '',
        code: edited?.code ?? '',
        description: edited?.description ?? '',
      }}
      save={({ name, code, description }) => {
        const values = { name, code, description };
        if (edited === undefined) return callDirectory('createRole', tenant, values);
        return callDirectory('updateRole', tenant, {
          id: edited.id,
          if_revision: edited.revision,
          ...values,
        });
      }}
      onSaved={({ name }) => {
        invalidate('roles', 'user', 'users');
        notifyDone(edited === undefined ? texts.added(name) : texts.saved(name));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
