import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { assignStore } from '../../api/assign-store.ts';
import { callDirectory, type DirectoryResult } from '../../api/call.ts';
import { assignmentKeys } from '../../api/stale-keys.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type PickedUser, UserPicker } from '../../parts/fields/user-picker.tsx';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { notifyWithUndo } from '../../parts/notices/notify-with-undo.tsx';
import { SteadyButton } from '../../parts/page/steady-button.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './store-drawer.module.css';

interface Props {
  readonly store: DirectoryResult<'queryStore'>;
  /** Those who look after the store, as far as they are loaded. */
  readonly users: readonly { readonly id: PickedUser['id'] }[];
}

/** A field that finds a user, and a button that assigns the store to them. */
export function AssignRepresentative({ store, users }: Props) {
  const { moveStores, targetsPages } = useTexts();
  const { stores: texts } = targetsPages;
  const [picked, setPicked] = useState<PickedUser>();
  const assign = useAssign(store);
  return (
    <form
      className={styles.assign}
      onSubmit={(event) => {
        event.preventDefault();
        if (picked !== undefined) assign.mutate(picked, { onSuccess: () => setPicked(undefined) });
      }}
    >
      <UserPicker
        label={texts.findUser}
        showsLabel={false}
        user={picked}
        obstacle={({ id, status }) => {
          if (users.some((user) => user.id === id)) return texts.alreadyLooksAfter;
          return status === 'active' ? undefined : moveStores.disabled;
        }}
        onPick={setPicked}
      />
      <SteadyButton type="submit" isIdle={picked === undefined} loading={assign.isPending}>
        {texts.assign}
      </SteadyButton>
    </form>
  );
}

/** Assigns the store to a user, and offers for a minute to undo it, unless the user had it already. */
function useAssign({ code, name }: Props['store']) {
  const { general, targetsPages } = useTexts();
  const { stores: texts } = targetsPages;
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const refresh = () => invalidate(...assignmentKeys);
  return useMutation({
    mutationFn: (user: PickedUser) => assignStore(tenant, user, code),
    onError: notifyFailure,
    onSuccess(isNew, user) {
      refresh();
      if (!isNew) {
        notifyDone(texts.lookedAfterBefore(nameOf(user), name));
        return;
      }
      const undo = async () => {
        await callDirectory('unbindUserStore', tenant, { user_id: user.id, store_code: code });
        refresh();
        notifyDone(texts.noLongerLooksAfter(nameOf(user), name));
      };
      const keys = [`store ${code} of user ${user.id}`];
      const message = texts.nowLooksAfter(nameOf(user), name);
      notifyWithUndo({ keys, message, undoText: general.undo, undo });
    },
  });
}
