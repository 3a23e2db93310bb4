import { useMutation } from '@tanstack/react-query';
import { callDirectory } from '../../api/call.ts';
import { userKeys } from '../../api/stale-keys.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import type { QueriedUser } from '../../api/user-query.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { notifyWithUndo } from '../../parts/notices/notify-with-undo.tsx';
import { useTenant } from '../../parts/use-tenant.ts';

type Status = 'active' | 'disabled';

/** Disables a user or makes them active, and offers for a minute to undo it. */
export function useStatusChange(user: Pick<QueriedUser, 'id' | 'username' | 'real_name'>) {
  const { id } = user;
  const { users, general } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const setStatus = (status: Status) => callDirectory('setUserStatus', tenant, { id, status });
  const name = nameOf(user);
  const said = (status: Status) => (status === 'active' ? users.nowActive(name) : users.nowDisabled(name));
  return useMutation({
    mutationFn: setStatus,
    onError: notifyFailure,
    onSuccess(_, next) {
      invalidate(...userKeys);
      const before = next === 'active' ? 'disabled' : 'active';
      const undo = async () => {
        await setStatus(before);
        invalidate(...userKeys);
        notifyDone(said(before));
      };
      const keys = [`status of user ${id}`];
      notifyWithUndo({ keys, message: said(next), undoText: general.undo, undo });
    },
  });
}
