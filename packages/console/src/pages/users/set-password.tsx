import { limits } from '@fieldroster/contract/limits';
import { Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { callDirectory } from '../../api/call.ts';
import { userKeys } from '../../api/stale-keys.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import type { QueriedUser } from '../../api/user-query.ts';
import { nameOf } from '../../api/user-search-query.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../../parts/fields/checked-form.tsx';
import { PasswordField } from '../../parts/fields/password-field.tsx';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { DialogActions } from '../../parts/page/dialog-actions.tsx';
import { useTenant } from '../../parts/use-tenant.ts';

interface Props {
  readonly user: QueriedUser;
  readonly onClose: () => void;
}

/** Replaces the password of a user who forgot it. Mount it to open it. */
export function SetPassword({ user, onClose }: Props) {
  const { users } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const form = useForm({ initialValues: { password: '' } });
  const mutation = useMutation({
    mutationFn: ({ password }: typeof form.values) =>
      callDirectory('updateUser', tenant, { id: user.id, password }),
    onSuccess() {
      invalidate(...userKeys);
      notifyDone(users.passwordSet(nameOf(user)));
      onClose();
    },
  });
  const guard = useDiscardGuard(form.isDirty(), mutation.isPending ? 'sending' : 'typed');
  return (
    <Modal
      opened
      onClose={() => guard.leave(onClose)}
      closeOnEscape={!guard.isAsking}
      title={users.setPassword}
    >
      {guard.question}
      <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
        <Stack gap="sm">
          <Text>{users.setPasswordHelp(nameOf(user))}</Text>
          <PasswordField
            label={users.newPassword}
            required
            maxLength={limits.passwordCharactersMax}
            autoComplete="new-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <DialogActions action={users.setPassword} mutation={mutation} onCancel={onClose} />
        </Stack>
      </CheckedForm>
    </Modal>
  );
}
