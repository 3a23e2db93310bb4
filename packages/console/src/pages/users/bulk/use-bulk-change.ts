import { useMutation } from '@tanstack/react-query';
import { callConsole } from '../../../api/call.ts';
import { assignmentKeys } from '../../../api/stale-keys.ts';
import { useInvalidate } from '../../../api/use-invalidate.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { notifyDone } from '../../../parts/notices/notify.ts';
import { notifyWithUndo } from '../../../parts/notices/notify-with-undo.tsx';
import { useTenant } from '../../../parts/use-tenant.ts';
import { type BulkAction, type ChangedUser, undoOf, wantedOf } from './bulk-action.ts';

/** Makes the changes of the preview. Offers to undo them for a minute, if one change undoes them for all users. */
export function useBulkChange(action: BulkAction, choice: string | undefined, onDone: () => void) {
  const { bulk, general } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const refresh = () => invalidate(...assignmentKeys);
  const undo = undoOf(action, choice);
  return useMutation({
    mutationFn: (users: readonly ChangedUser[]) => {
      const named = users.map(({ username, revision }) => ({ username, revision }));
      return callConsole('changeUsers', { users: named, ...wantedOf(action, choice) }, tenant);
    },
    // A refusal says that the preview is out of date.
    onSettled: refresh,
    onSuccess(_, users) {
      const changed = users.filter(hasChange);
      const message = bulk.done[action](changed.length);
      onDone();
      if (undo === undefined) {
        notifyDone(message);
        return;
      }
      const changeBack = async () => {
        const named = changed.map(({ username }) => ({ username }));
        await callConsole('changeUsers', { users: named, ...undo }, tenant);
        refresh();
        notifyDone(bulk.undone(changed.length));
      };
      const keys = changed.map(({ id }) => keyOf(action, choice, id));
      notifyWithUndo({ keys, message, undoText: general.undo, undo: changeBack });
    },
  });
}

/**
 * Returns the key of an undo offer for this change of one user. The actions on a single user use the same keys, so that a
 * newer change closes the older offer.
 */
function keyOf(action: BulkAction, choice: string | undefined, id: ChangedUser['id']): string {
  const isOfStore = action === 'addStore' || action === 'removeStore';
  return isOfStore ? `store ${choice} of user ${id}` : `status of user ${id}`;
}

function hasChange({ changes, stores_added, stores_removed }: ChangedUser): boolean {
  return changes.length + stores_added.length + stores_removed.length > 0;
}
