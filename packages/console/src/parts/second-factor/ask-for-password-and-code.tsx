import { Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../fields/checked-form.tsx';
import { OwnUsername } from '../fields/own-username.tsx';
import { PasswordField } from '../fields/password-field.tsx';
import { explainWrong } from '../notices/explain-wrong.ts';
import { DialogActions } from '../page/dialog-actions.tsx';

/** The proof that somebody at a signed-in browser is its operator. */
export interface PasswordAndCode {
  readonly password: string;
  readonly code: string;
}

interface Props {
  /** What the action does. */
  readonly help?: string;
  readonly action: string;
  readonly run: (proof: PasswordAndCode) => Promise<void>;
  readonly onCancel?: () => void;
}

/** Asks for the password and a code of the second factor that is on, before a change of it. */
export function AskForPasswordAndCode({ help, action, run, onCancel }: Props) {
  const { settings, signIn } = useTexts();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const mutation = useMutation({ mutationFn: run });
  return (
    <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
      <Stack gap="sm">
        {help !== undefined && <Text size="sm">{help}</Text>}
        <OwnUsername />
        <PasswordField
          label={settings.password.own}
          autoComplete="current-password"
          required
          data-autofocus
          {...form.getInputProps('password')}
        />
        <TextInput
          label={settings.factor.currentCode}
          description={signIn.codeHelp}
          autoComplete="one-time-code"
          required
          {...form.getInputProps('code')}
        />
        <DialogActions
          action={action}
          mutation={{
            isPending: mutation.isPending,
            error: explainWrong(mutation.error, settings.factor.wrongEither),
          }}
          onCancel={onCancel}
        />
      </Stack>
    </CheckedForm>
  );
}
