import { ActionIcon, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowsLeftRight, IconX } from '@tabler/icons-react';
import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { assignStore } from '../../api/assign-store.ts';
import { callDirectory, type DirectoryResult } from '../../api/call.ts';
import { assignmentKeys } from '../../api/stale-keys.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import type { QueriedUser } from '../../api/user-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { type PickedStore, StorePicker } from '../../parts/fields/store-picker.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { notifyDone, notifyFailure } from '../../parts/notices/notify.ts';
import { notifyWithUndo } from '../../parts/notices/notify-with-undo.tsx';
import { SteadyButton } from '../../parts/page/steady-button.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './user-assignments.module.css';

interface Props {
  readonly user: QueriedUser;
  /** The stores of the user. */
  readonly query: UseQueryResult<DirectoryResult<'queryUserStores'>>;
}

/** A user's stores, each with a button that unassigns it, and a field that assigns another. */
export function UserAssignments({ user, query }: Props) {
  const { users } = useTexts();
  const canChange = useCanChange();
  const change = useStoreChange(user);
  const failure = query.isError && <FailureNotice error={query.error} onRetry={() => query.refetch()} />;
  if (query.data === undefined) return failure || <Skeleton height={120} />;
  const { stores } = query.data;
  return (
    <Stack gap="sm">
      {failure}
      {canChange && <AssignStore change={change} />}
      {canChange && stores.length > 0 && <MoveStoresLink of={user} />}
      {stores.length === 0 && <Text c="dimmed">{users.noStores}</Text>}
      <ul className={styles.list} aria-label={users.stores} tabIndex={-1}>
        {stores.map((store) => (
          <AssignedStore key={store.code} store={store} change={change} />
        ))}
      </ul>
    </Stack>
  );
}

interface ChangeProps {
  readonly change: ReturnType<typeof useStoreChange>;
}

function AssignStore({ change }: ChangeProps) {
  const { bulk, users } = useTexts();
  const [picked, setPicked] = useState<PickedStore>();
  return (
    <form
      className={styles.assign}
      onSubmit={(event) => {
        event.preventDefault();
        if (picked === undefined) return;
        change.mutate({ code: picked.code, bind: true }, { onSuccess: () => setPicked(undefined) });
      }}
    >
      <StorePicker label={users.findStore} placeholder={bulk.findStore} picked={picked} onPick={setPicked} />
      <SteadyButton
        type="submit"
        isIdle={picked === undefined || change.isPending}
        loading={change.isPending && change.variables.bind}
      >
        {users.bindStore}
      </SteadyButton>
    </form>
  );
}

function MoveStoresLink({ of }: { readonly of: QueriedUser }) {
  const { moveStores } = useTexts();
  const tenant = useTenant();
  return (
    <Group justify="flex-end">
      <Button
        component={Link}
        to={`/t/${tenant}/move-stores?from=${of.id}`}
        variant="default"
        leftSection={<IconArrowsLeftRight size="0.875rem" />}
      >
        {moveStores.open}
      </Button>
    </Group>
  );
}

interface AssignedProps extends ChangeProps {
  readonly store: DirectoryResult<'queryUserStores'>['stores'][number];
}

function AssignedStore({ store: { code, name, address }, change }: AssignedProps) {
  const { users } = useTexts();
  const canChange = useCanChange();
  return (
    <li className={styles.store}>
      <div className={styles.text}>
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {code} · {address}
        </Text>
      </div>
      {canChange && (
        <ActionIcon
          aria-label={users.unbindStore(code)}
          onClick={() => change.mutate({ code, bind: false })}
          disabled={change.isPending}
          loading={change.isPending && !change.variables.bind && change.variables.code === code}
        >
          <IconX size="1rem" />
        </ActionIcon>
      )}
    </li>
  );
}

interface Change {
  readonly code: string;
  readonly bind: boolean;
}

/** Assigns or unassigns a store, and offers for a minute to undo it, unless nothing changed. */
function useStoreChange({ id, username }: QueriedUser) {
  const { users, general } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const apply = async ({ code, bind }: Change) => {
    if (bind) return assignStore(tenant, { id, username }, code);
    await callDirectory('unbindUserStore', tenant, { user_id: id, store_code: code });
    return true;
  };
  const refresh = () => invalidate(...assignmentKeys);
  return useMutation({
    mutationFn: apply,
    onError: notifyFailure,
    onSuccess(isChanged, { code, bind }) {
      refresh();
      if (!isChanged) {
        notifyDone(users.storeBoundBefore(code));
        return;
      }
      const undo = async () => {
        await apply({ code, bind: !bind });
        refresh();
        notifyDone(bind ? users.storeUnbound(code) : users.storeBound(code));
      };
      const message = bind ? users.storeBound(code) : users.storeUnbound(code);
      notifyWithUndo({ keys: [`store ${code} of user ${id}`], message, undoText: general.undo, undo });
    },
  });
}
