import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CallError, callConsole } from '../../api/call.ts';
import { type Session, useSetSession } from '../../api/session.ts';
import { type Texts, useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../../parts/fields/checked-form.tsx';
import { PasswordField } from '../../parts/fields/password-field.tsx';
import { explainWrong } from '../../parts/notices/explain-wrong.ts';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { notifyDone, notifyWarning } from '../../parts/notices/notify.ts';
import { VisitorCard } from '../../parts/page/visitor-card.tsx';
import { hasFewCodes } from '../../parts/second-factor/few-codes.ts';
import { Command } from '../../parts/values/command.tsx';

const secondFactorNeeded = 1603;

export function SignInPage() {
  const { signIn } = useTexts();
  const { next = '/' } = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const setSession = useSetSession();
  return (
    <VisitorCard title={signIn.title}>
      <SignInForm
        onSignedIn={(session) => {
          setSession(session);
          // In place of the form: the step back leads to where the operator came from. The address comes with or without
          // the path of the console.
          router.history.replace(next.startsWith('/console') ? next : `/console${next}`);
        }}
      />
    </VisitorCard>
  );
}

interface Props {
  readonly onSignedIn: (session: Session) => void;
  /** Who is asked for the password again; anybody else if left out. */
  readonly username?: string;
}

/** Asks for the password, and for a code if the operator has a second factor. */
export function SignInForm({ onSignedIn, username = '' }: Props) {
  const texts = useTexts();
  const { general, signIn } = texts;
  const [asksForCode, setAsksForCode] = useState(false);
  const form = useForm({ initialValues: { username, password: '', code: '' } });
  const mutation = useMutation({
    mutationFn: ({ username, password, code }: typeof form.values) =>
      callConsole('signIn', { username, password, ...(code !== '' && { code }) }),
    onSuccess(session, { code }) {
      onSignedIn(session);
      if (session.operator.second_factor && !/^\d{6}$/.test(code)) sayCodesLeft(session.operator, texts);
    },
    onError(error) {
      if (error instanceof CallError && error.code === secondFactorNeeded) setAsksForCode(true);
    },
  });
  const isQuestion = mutation.error instanceof CallError && mutation.error.code === secondFactorNeeded;
  return (
    <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
      <Stack gap="sm">
        <TextInput
          label={general.username}
          autoComplete="username"
          required
          autoFocus={username === ''}
          data-autofocus={username === '' || undefined}
          {...form.getInputProps('username')}
        />
        <PasswordField
          label={general.password}
          autoComplete="current-password"
          required
          data-autofocus={username !== '' || undefined}
          {...form.getInputProps('password')}
        />
        {asksForCode && (
          <TextInput
            label={signIn.code}
            description={signIn.codeHelp}
            autoComplete="one-time-code"
            required
            autoFocus
            {...form.getInputProps('code')}
          />
        )}
        {mutation.isError && !isQuestion && (
          // Nobody was asked for a code before the password was right.
          <FailureNotice error={asksForCode ? mutation.error : explainWrong(mutation.error, signIn.wrong)} />
        )}
        <Button type="submit" size="sm" loading={mutation.isPending}>
          {signIn.submit}
        </Button>
        <Text size="xs" c="dimmed">
          {signIn.forgotten}
          <Command>fieldroster operator reset</Command>
        </Text>
      </Stack>
    </CheckedForm>
  );
}

/** Says how many recovery codes are left to somebody who has just used one. */
function sayCodesLeft(operator: Session['operator'], { general, settings, signIn }: Texts): void {
  const isFew = hasFewCodes(operator);
  const left = settings.factor.codesLeft(operator.recovery_codes_left);
  const sentences = [signIn.usedRecoveryCode, left, ...(isFew ? [signIn.makeCodes] : [])];
  const message = sentences.join(general.sentenceGap);
  if (isFew) notifyWarning(message);
  else notifyDone(message);
}
