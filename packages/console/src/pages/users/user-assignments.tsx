import { ActionIcon, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconArrowsLeftRight, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callDirectory, type DirectoryResult } from '../../api/call.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { notifyDone, notifyFailure } from '../../parts/notify.ts';
import { notifyWithUndo } from '../../parts/notify-with-undo.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './user-assignments.module.css';
import type { QueriedUser } from './user-query.ts';

interface Props {
  readonly user: QueriedUser;
  /** `undefined` while they are loading. */
  readonly stores: DirectoryResult<'queryUserStores'>['stores'] | undefined;
}

/** A user's stores, each with a button that unassigns it, and a field that assigns another. */
export function UserAssignments({ user, stores }: Props) {
  const { users, moveStores } = useTexts();
  const tenant = useTenant();
  const canChange = useCanChange();
  const change = useStoreChange(user);
  const form = useForm({ initialValues: { code: '' } });
  if (stores === undefined) return <Skeleton height={120} />;
  return (
    <Stack gap="sm">
      {canChange && (
        <form
          onSubmit={form.onSubmit(({ code }) => {
            change.mutate({ code: code.trim(), bind: true }, { onSuccess: form.reset });
          })}
        >
          <Group gap="xs" wrap="nowrap">
            <TextInput
              style={{ flex: 1 }}
              aria-label={users.findStore}
              placeholder={users.findStore}
              required
              {...form.getInputProps('code')}
            />
            <Button type="submit" loading={change.isPending}>
              {users.bindStore}
            </Button>
          </Group>
        </form>
      )}
      {canChange && stores.length > 0 && (
        <Group justify="flex-end">
          <Button
            component={Link}
            to={`/t/${tenant}/move-stores?from=${user.id}`}
            variant="default"
            leftSection={<IconArrowsLeftRight size={14} />}
          >
            {moveStores.open}
          </Button>
        </Group>
      )}
      {stores.length === 0 && <Text c="dimmed">{users.noStores}</Text>}
      <ul className={styles.list}>
        {stores.map(({ code, name, address }) => (
          <li key={code} className={styles.store}>
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
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </Stack>
  );
}

interface Change {
  readonly code: string;
  readonly bind: boolean;
}

function useStoreChange({ id }: QueriedUser) {
  const { users, general } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const apply = ({ code, bind }: Change) =>
    callDirectory(bind ? 'bindUserStore' : 'unbindUserStore', tenant, { user_id: id, store_code: code });
  const refresh = () => invalidate('user-stores', 'users');
  return useMutation({
    mutationFn: apply,
    onError: notifyFailure,
    onSuccess(_, { code, bind }) {
      refresh();
      notifyWithUndo(bind ? users.storeBound(code) : users.storeUnbound(code), general.undo, async () => {
        await apply({ code, bind: !bind });
        refresh();
        notifyDone(bind ? users.storeUnbound(code) : users.storeBound(code));
      });
    },
  });
}
