import { limits } from '@fieldroster/contract/limits';
import { callDirectory } from '../../api/call.ts';
import type { Org } from '../../api/directory-lists.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { parseId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EditForm } from '../../parts/fields/edit-form.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { closeOffersAbout } from '../../parts/notices/notify-with-undo.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { orgPaths } from '../../parts/values/org-paths.ts';
import { idsWithin } from './ids-within.ts';

/** The organization that the form adds, and below which one, or that it edits. */
export type OrgFormTask =
  | { readonly kind: 'add'; readonly parent: Org | undefined }
  | { readonly kind: 'edit'; readonly org: Org };

interface Props {
  readonly task: OrgFormTask;
  readonly orgs: readonly Org[];
  readonly onClose: () => void;
}

/** The form that adds or edits an organization. */
export function OrgForm({ task, orgs, onClose }: Props) {
  const { orgs: texts, general } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const edited = task.kind === 'edit' ? task.org : undefined;
  const parentId = task.kind === 'edit' ? task.org.parent_id : (task.parent?.id ?? 0);
  const paths = orgPaths(orgs);
  const within = edited === undefined ? new Set<string>() : idsWithin(orgs, edited);
  const choices = orgs
    .filter(({ id }) => !within.has(String(id)))
    .map(({ id }) => ({ value: String(id), label: paths.get(String(id)) ?? String(id) }));
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
          charactersMax: limits.orgNameCharactersMax,
        },
        { name: 'parent', label: texts.parent, kind: 'choice', choices, help: texts.parentHelp },
      ]}
      initial={{ name: edited?.name ?? '', parent: String(parentId) === '0' ? '' : String(parentId) }}
      save={({ name, parent }) => {
        const values = { name, parent_id: parseId(parent ?? '') ?? 0 };
        if (edited === undefined) return callDirectory('createOrg', tenant, values);
        return callDirectory('updateOrg', tenant, { id: edited.id, if_revision: edited.revision, ...values });
      }}
      onSaved={({ name }) => {
        invalidate('orgs', 'user', 'users');
        if (edited !== undefined) closeOffersAbout(`organization ${edited.id}`);
        notifyDone(edited === undefined ? texts.added(name) : texts.saved(name));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
