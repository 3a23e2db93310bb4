import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { OwnUsername } from './own-username.tsx';

interface AskProps {
  readonly action: string;
  readonly run: (answer: string) => Promise<void>;
}

/** Asks somebody who is signed in for the password again, before a change that a stranger at this browser must not make. */
export function AskForPassword(props: AskProps) {
  const { current } = useTexts().settings.password;
  return (
    <AskFor
      {...props}
      field={(input) => (
        <>
          <OwnUsername />
          <PasswordInput label={current} autoComplete="current-password" required data-autofocus {...input} />
        </>
      )}
    />
  );
}

type Input = ReturnType<ReturnType<typeof useForm>['getInputProps']>;

/** A form of one field. */
export function AskFor({ action, run, field }: AskProps & { readonly field: (input: Input) => ReactNode }) {
  const form = useForm({ initialValues: { answer: '' } });
  const mutation = useMutation({ mutationFn: run, gcTime: 0 });
  return (
    <form onSubmit={form.onSubmit(({ answer }) => mutation.mutate(answer))}>
      <Stack gap="sm">
        {field(form.getInputProps('answer'))}
        {mutation.isError && <FailureNotice error={mutation.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={mutation.isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
