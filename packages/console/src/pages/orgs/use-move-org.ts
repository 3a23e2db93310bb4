import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callDirectory } from '../../api/call.ts';
import type { Org } from '../../api/directory-lists.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { sameId } from '../../api/wire.ts';
import { useTexts } from '../../i18n/texts.ts';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { notifyWithUndo } from '../../parts/notices/notify-with-undo.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { idsWithin } from './ids-within.ts';

interface Move {
  readonly org: Org;
  readonly parent: Org;
}

/** Returns the dragged organization and its new parent; `undefined` if that is its parent already, or is below it. */
export function moveOf(orgs: readonly Org[], id: string, parent: Org): Move | undefined {
  const org = orgs.find((one) => String(one.id) === id);
  if (org === undefined || String(org.parent_id) === String(parent.id)) return undefined;
  return idsWithin(orgs, org).has(String(parent.id)) ? undefined : { org, parent };
}

/** Moves an organization below another one, and offers for a minute to move it back. */
export function useMoveOrg() {
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
