import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { explainWrong } from '../notices/explain-wrong.ts';
import { DialogActions } from '../page/dialog-actions.tsx';
import { CheckedForm } from './checked-form.tsx';
import { OwnUsername } from './own-username.tsx';
import { PasswordField } from './password-field.tsx';

interface AskProps {
  readonly action: string;
  readonly run: (answer: string) => Promise<void>;
}

interface AskForPasswordProps extends AskProps {
  readonly onCancel?: () => void;
  readonly disabled?: boolean;
  /** Fields of the same form, above the password. */
  readonly fields?: ReactNode;
}

/** Asks somebody who is signed in for the password again, before a change that a stranger at this browser must not make. */
export function AskForPassword({ fields, ...props }: AskForPasswordProps) {
  const { own, wrong } = useTexts().settings.password;
  return (
    <AskFor
      {...props}
      wrong={wrong}
      field={(input) => (
        <>
          {fields}
          <OwnUsername />
          <PasswordField
            label={own}
            autoComplete="current-password"
            required
            data-autofocus={fields === undefined || undefined}
            {...input}
          />
        </>
      )}
    />
  );
}

type Input = ReturnType<ReturnType<typeof useForm>['getInputProps']>;

interface AskForProps extends Omit<AskForPasswordProps, 'fields'> {
  /** The message about a wrong answer. */
  readonly wrong: string;
  readonly field: (input: Input) => ReactNode;
}

/** A form with one answer. */
export function AskFor({ action, run, onCancel, disabled, wrong, field }: AskForProps) {
  const form = useForm({ initialValues: { answer: '' } });
  const mutation = useMutation({ mutationFn: run });
  return (
    <CheckedForm form={form} onSubmit={({ answer }) => mutation.mutate(answer)}>
      <Stack gap="sm">
        {field(form.getInputProps('answer'))}
        <DialogActions
          action={action}
          mutation={{ isPending: mutation.isPending, error: explainWrong(mutation.error, wrong) }}
          onCancel={onCancel}
          disabled={disabled}
        />
      </Stack>
    </CheckedForm>
  );
}
