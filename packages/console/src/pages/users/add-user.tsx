import { limits } from '@fieldroster/contract/limits';
import { Fieldset, Modal, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { flushSync } from 'react-dom';
import { callDirectory, type DirectoryResult } from '../../api/call.ts';
import { useInvalidate } from '../../api/use-invalidate.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../../parts/fields/checked-form.tsx';
import { PasswordField } from '../../parts/fields/password-field.tsx';
import { useDiscardGuard } from '../../parts/fields/use-discard-guard.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';
import { DialogActions } from '../../parts/page/dialog-actions.tsx';
import { useTenant } from '../../parts/use-tenant.ts';
import styles from './add-user.module.css';
import { ProfileFields } from './profile-fields.tsx';
import { contactNames, emptyProfile, furtherNames, toProfile } from './profile-values.ts';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const groupStyles = { root: styles.group ?? '', legend: styles.legend ?? '' };

/** `undefined` after a lost answer: it is not given again. */
type Created = DirectoryResult<'createUser'>;

/** The form for a new user. */
export function AddUser({ opened, onClose }: Props) {
  const { users, general } = useTexts();
  const tenant = useTenant();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { username: '', password: '', ...emptyProfile } });
  const mutation = useMutation({
    mutationFn: ({ username, password, ...profile }: typeof form.values): Promise<Created | undefined> =>
      callDirectory('createUser', tenant, { username, password, ...toProfile(profile) }),
    onSuccess(user, { username }) {
      invalidate('users');
      notifyDone(users.created(user?.username ?? username));
      // Frees the page from this form. The draft in an open drawer still keeps it.
      flushSync(() => {
        form.reset();
        onClose();
      });
      if (user === undefined) {
        navigate({ to: '.', search: { search: username } });
        return;
      }
      navigate({
        to: '/t/$tenant/users/$user',
        params: { tenant: String(tenant), user: String(user.id) },
      });
    },
  });
  const guard = useDiscardGuard(form.isDirty(), mutation.isPending ? 'sending' : 'typed');
  return (
    <Modal
      opened={opened}
      onClose={() => guard.leave(onClose)}
      closeOnEscape={!guard.isAsking}
      title={users.add}
      size="lg"
    >
      {guard.question}
      <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
        <Stack gap="sm">
          <Fieldset variant="unstyled" legend={users.signIn} classNames={groupStyles}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <TextInput
                label={general.username}
                required
                maxLength={limits.usernameCharactersMax}
                data-autofocus
                autoComplete="off"
                {...form.getInputProps('username')}
              />
              <PasswordField
                label={users.initialPassword}
                required
                maxLength={limits.passwordCharactersMax}
                autoComplete="new-password"
                {...form.getInputProps('password')}
              />
            </SimpleGrid>
          </Fieldset>
          <Fieldset variant="unstyled" legend={users.contact} classNames={groupStyles}>
            <ProfileFields form={form} names={contactNames} />
          </Fieldset>
          <details className={styles.more}>
            <summary>{users.moreFields}</summary>
            <ProfileFields form={form} names={furtherNames} />
          </details>
          <DialogActions action={users.add} mutation={mutation} onCancel={onClose} />
        </Stack>
      </CheckedForm>
    </Modal>
  );
}
