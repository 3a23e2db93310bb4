import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { callDirectory } from '../../api/call.ts';
import { useCanChange } from '../../api/use-can-change.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import type { UserDetails } from '../../api/user-query.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { TypedConfirmation } from '../../parts/fields/typed-confirmation.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { closeOffersAbout } from '../../parts/notices/notify-with-undo.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import { noteRemovedUser } from './removed-users.ts';
import { SetPassword } from './set-password.tsx';
import { useStatusChange } from './use-status-change.ts';

interface Props {
  readonly details: UserDetails;
  /** How many stores the user has; `undefined` as long as that is not known. */
  readonly stores: number | undefined;
  readonly onDeleted: () => void;
}

/** Sets the password of a user, and disables, enables or deletes the user. */
export function UserActions({ details, stores, onDeleted }: Props) {
  const { users } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const canChange = useCanChange();
  const [deleting, deletion] = useDisclosure(false);
  const [settingPassword, password] = useDisclosure(false);
  const { id, username } = details.user;
  const status = useStatusChange(details.user);
  const removal = useMutation({
    mutationFn: () => callDirectory('deleteUser', tenant, { user_id: id }),
    onSuccess() {
      invalidate('users', 'store-users', 'stores');
      closeOffersAbout(`user ${id}`);
      noteRemovedUser(id);
      notifyDone(users.removed(nameOf(details.user)));
      onDeleted();
    },
  });
  if (!canChange) return null;
  const next = details.status === 'disabled' ? 'active' : 'disabled';
  return (
    <Group gap="xs">
      <Button variant="default" onClick={password.open}>
        {users.setPassword}
      </Button>
      <Button variant="default" loading={status.isPending} onClick={() => status.mutate(next)}>
        {next === 'active' ? users.enable : users.disableUser}
      </Button>
      <Button variant="default" c="var(--fr-danger)" onClick={deletion.open}>
        {users.remove}
      </Button>
      {settingPassword && <SetPassword user={details.user} onClose={password.close} />}
      <TypedConfirmation
        opened={deleting}
        onClose={deletion.close}
        title={users.remove}
        help={users.removeHelp(nameOf(details.user), stores)}
        name={username}
        action={users.remove}
        mutation={removal}
      />
    </Group>
  );
}
