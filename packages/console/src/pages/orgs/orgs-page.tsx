import { limits } from '@fieldroster/contract/limits';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callDirectory } from '../../api/call.ts';
import { type Org, orgsQuery } from '../../api/directory-lists.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { parseId, sameId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EditForm } from '../../parts/fields/edit-form.tsx';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { LoadState } from '../../parts/notices/load-state.tsx';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { closeOffersAbout, notifyWithUndo } from '../../parts/notices/notify-with-undo.tsx';
import { AddButton } from '../../parts/page/add-button.tsx';
import { FirstEntries } from '../../parts/page/first-entries.tsx';
import { ImportButton } from '../../parts/page/import-button.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { RemoveTarget } from '../../parts/page/remove-target.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { orgPaths } from '../../parts/values/org-paths.ts';
import { idsWithin } from './ids-within.ts';
import { OrgTree } from './org-tree.tsx';

/** The task that is open above the tree. */
type Task =
  | { readonly kind: 'add'; readonly parent: Org | undefined }
  | { readonly kind: 'edit'; readonly org: Org }
  | { readonly kind: 'remove'; readonly org: Org };

/** The organizations as a tree that can be rearranged. */
export function OrgsPage() {
  const { orgs: texts } = useTexts();
  const tenant = useTenant();
  const canChange = useCanChange();
  const query = useQuery(orgsQuery(tenant));
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  const button = canChange && (
    <AddButton onClick={() => setTask({ kind: 'add', parent: undefined })}>{texts.add}</AddButton>
  );
  const orgs = query.data ?? [];
  const move = useMove();
  return (
    <>
      <PageHeader title={texts.title}>
        {canChange && <ImportButton of="orgs" />}
        {button}
      </PageHeader>
      <LoadState query={query} height={280} />
      {query.data?.length === 0 && (
        <EmptyState
          title={texts.empty}
          help={texts.emptyHelp}
          action={<FirstEntries of="orgs" add={button} />}
        />
      )}
      {orgs.length > 0 && (
        <OrgTree
          orgs={orgs}
          canChange={canChange}
          onAdd={(parent) => setTask({ kind: 'add', parent })}
          onEdit={(org) => setTask({ kind: 'edit', org })}
          onRemove={(org) => setTask({ kind: 'remove', org })}
          onMove={(id, parent) => move.mutate(moveOf(orgs, id, parent))}
        />
      )}
      {task?.kind === 'remove' && (
        <RemoveTarget
          title={texts.remove}
          name={task.org.name}
          assigned={{ org_id: task.org.id }}
          below={orgs.filter(({ parent_id }) => String(parent_id) === String(task.org.id)).length}
          remove={async (force) => {
            await callDirectory('deleteOrg', tenant, { id: task.org.id, ...(force && { force }) });
            closeOffersAbout(`organization ${task.org.id}`);
          }}
          done={texts.removed(task.org.name)}
          staleKeys={['orgs', 'users', 'user']}
          onClose={close}
        />
      )}
      {task !== undefined && task.kind !== 'remove' && <OrgForm task={task} orgs={orgs} onClose={close} />}
    </>
  );
}

interface Move {
  readonly org: Org;
  readonly parent: Org;
}

/** Returns the dragged organization and its new parent; `undefined` if that is its parent already, or is below it. */
function moveOf(orgs: readonly Org[], id: string, parent: Org): Move | undefined {
  const org = orgs.find((one) => String(one.id) === id);
  if (org === undefined || String(org.parent_id) === String(parent.id)) return undefined;
  return idsWithin(orgs, org).has(String(parent.id)) ? undefined : { org, parent };
}

/** Moves an organization below another one, and offers for a minute to move it back. */
function useMove() {
  const { orgs: texts, general } = useTexts();
  const tenant = useTenant();
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const refresh = () => invalidate('orgs', 'users');
  return useMutation({
    mutationFn: async (move: Move | undefined) => {
      if (move === undefined) return;
      const { id, revision } = move.org;
      await callDirectory('updateOrg', tenant, { id, if_revision: revision, parent_id: move.parent.id });
      invalidate('users');
      // The tree has the new revision before the notice says that it moved: an edit with the old one would be refused.
      await client.invalidateQueries({ queryKey: ['orgs'] });
    },
    onError(error) {
      refresh();
      notifyFailure(error);
    },
    onSuccess(_, move) {
      if (move === undefined) return;
      const { id, name, parent_id } = move.org;
      const undo = async () => {
        const now = await callDirectory('queryOrg', tenant, { id });
        // If it was moved again, the revision from before this move is refused.
        const { revision } = sameId(now.parent_id, move.parent.id) ? now : move.org;
        // After a refusal, the tree shows where it is now.
        await callDirectory('updateOrg', tenant, { id, if_revision: revision, parent_id }).finally(refresh);
        notifyDone(texts.movedBack(name));
      };
      const message = texts.moved(name, move.parent.name);
      notifyWithUndo({ keys: [`parent of organization ${id}`], message, undoText: general.undo, undo });
    },
  });
}

interface FormProps {
  readonly task: Exclude<Task, { kind: 'remove' }>;
  readonly orgs: readonly Org[];
  readonly onClose: () => void;
}

function OrgForm({ task, orgs, onClose }: FormProps) {
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
