import { useMutation } from '@tanstack/react-query';
import { callConsole } from '../../api/call.ts';
import { assignmentKeys } from '../../api/stale-keys.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import type { QueriedUser } from '../../api/user-query.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { notifyDone } from '../../parts/notices/notify.ts';
import { notifyWithUndo } from '../../parts/notices/notify-with-undo.tsx';
import { useTenant } from '../../parts/use-tenant.ts';

/** A move as the preview shows it. */
export interface Move {
  readonly from: QueriedUser;
  readonly to: QueriedUser;
  readonly codes: readonly string[];
  /** Those of the codes that the second user has already. */
  readonly shared: readonly string[];
}

/** Moves stores, and offers for a minute to move them back. */
export function useMove(onMoved: () => void) {
  const { general, moveStores } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const refresh = () => invalidate(...assignmentKeys);
  const undo = async ({ from, to, codes, shared }: Move) => {
    await callConsole(
      'moveStores',
      {
        from_user_id: to.id,
        to_user_id: from.id,
        store_codes: codes.filter((code) => !shared.includes(code)),
        kept_store_codes: [...shared],
        expected_store_codes: [],
      },
      tenant,
    );
    refresh();
    notifyDone(moveStores.undone(codes.length, nameOf(from)));
  };
  return useMutation({
    mutationFn: ({ from, to, codes, shared }: Move) =>
      callConsole(
        'moveStores',
        {
          from_user_id: from.id,
          to_user_id: to.id,
          store_codes: [...codes],
          kept_store_codes: [],
          expected_store_codes: [...shared],
        },
        tenant,
      ),
    // A refusal says that the preview is out of date, so the board loads the stores again in any case.
    onSettled: refresh,
    onSuccess(_, move) {
      onMoved();
      const said = moveStores.moved(move.codes.length, nameOf(move.from), nameOf(move.to));
      const keys = [move.from, move.to].flatMap(({ id }) =>
        move.codes.map((code) => `store ${code} of user ${id}`),
      );
      notifyWithUndo({ keys, message: said, undoText: general.undo, undo: () => undo(move) });
    },
  });
}
