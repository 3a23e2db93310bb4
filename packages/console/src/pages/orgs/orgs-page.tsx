import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callDirectory } from '../../api/call.ts';
import { type Org, orgsQuery } from '../../api/directory-lists.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useTexts } from '../../i18n/texts.ts';
import { EmptyState } from '../../parts/notices/empty-state.tsx';
import { LoadState } from '../../parts/notices/load-state.tsx';
import { closeOffersAbout } from '../../parts/notices/notify-with-undo.tsx';
import { AddButton } from '../../parts/page/add-button.tsx';
import { FirstEntries } from '../../parts/page/first-entries.tsx';
import { ImportButton } from '../../parts/page/import-button.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { RemoveTarget } from '../../parts/page/remove-target.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { OrgForm, type OrgFormTask } from './org-form.tsx';
import { OrgTree } from './org-tree.tsx';
import { moveOf, useMoveOrg } from './use-move-org.ts';

/** The task that is open above the tree. */
type Task = OrgFormTask | { readonly kind: 'remove'; readonly org: Org };

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
  const move = useMoveOrg();
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
