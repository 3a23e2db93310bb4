import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { callConsole } from '../../api/call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../../parts/fields/checked-form.tsx';
import { OwnUsername } from '../../parts/fields/own-username.tsx';
import { PasswordField } from '../../parts/fields/password-field.tsx';
import { explainWrong } from '../../parts/notices/explain-wrong.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { notifyDone } from '../../parts/notices/notify.ts';

/** Sets a new password, which ends the other sessions. */
export function ChangePassword() {
  const { settings, link } = useTexts();
  const form = useForm({ initialValues: { password: '', new_password: '' } });
  const mutation = useMutation({
    mutationFn: (values: typeof form.values) => callConsole('changePassword', values),
    onSuccess() {
      form.reset();
      notifyDone(settings.password.done);
    },
  });
  return (
    <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
      <OwnUsername />
      <Stack gap="sm" maw={360}>
        <PasswordField
          label={settings.password.current}
          autoComplete="current-password"
          required
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={settings.password.next}
          description={link.passwordHelp}
          autoComplete="new-password"
          required
          minLength={consoleLimits.operatorPasswordCharactersMin}
          maxLength={consoleLimits.operatorPasswordCharactersMax}
          {...form.getInputProps('new_password')}
        />
        {mutation.isError && <FailureNotice error={explainWrong(mutation.error, settings.password.wrong)} />}
        <Group>
          <Button type="submit" loading={mutation.isPending}>
            {settings.password.action}
          </Button>
        </Group>
      </Stack>
    </CheckedForm>
  );
}
