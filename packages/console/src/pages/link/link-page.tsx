import { consoleLimits } from '@fieldroster/contract/console-limits';
import { Alert, Anchor, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { CallError, callConsole, type OwnResult } from '../../api/call.ts';
import { useSetSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CheckedForm } from '../../parts/fields/checked-form.tsx';
import { PasswordField } from '../../parts/fields/password-field.tsx';
import { FailureNotice } from '../../parts/notices/failure-notice.tsx';
import { VisitorCard } from '../../parts/page/visitor-card.tsx';
import { Command } from '../../parts/values/command.tsx';

const foreignPage = 1605;
const linkNotValid = 1607;

/** The page that a one-time link opens. The token follows the `#`; browsers send that part to no server. */
export function LinkPage() {
  const { link } = useTexts();
  const token = useLocation().hash;
  const query = useQuery({
    queryKey: ['link', token],
    enabled: token !== '',
    queryFn: () => callConsole('queryLink', { token }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const refusal = query.error instanceof CallError ? query.error : undefined;
  if (refusal?.code === linkNotValid || token === '')
    return <VisitorCard title={link.notValid} help={<NotValidHelp />} />;
  if (refusal?.code === foreignPage) {
    return (
      <VisitorCard title={link.otherAddress} help={link.otherAddressHelp(location.origin)}>
        <Text size="xs" c="dimmed" lang="en">
          {refusal.message}
        </Text>
      </VisitorCard>
    );
  }
  if (query.isError) {
    return (
      <VisitorCard title={link.failed}>
        <FailureNotice error={query.error} onRetry={() => query.refetch()} />
      </VisitorCard>
    );
  }
  if (query.data === undefined) {
    return (
      <VisitorCard title={link.checking}>
        <Skeleton height={120} />
      </VisitorCard>
    );
  }
  return <LinkForm token={token} details={query.data} />;
}

function NotValidHelp() {
  const { link } = useTexts();
  return (
    <>
      {link.notValidHelp}
      <Command>fieldroster operator invite</Command>
    </>
  );
}

interface Props {
  readonly token: string;
  readonly details: OwnResult<'queryLink'>;
}

function LinkForm({ token, details }: Props) {
  const { general, link, roles } = useTexts();
  const router = useRouter();
  const setSession = useSetSession();
  const isInvitation = details.purpose === 'invite';
  const form = useForm({ initialValues: { username: details.username, password: '' } });
  const mutation = useMutation({
    mutationFn: ({ username, password }: typeof form.values) =>
      callConsole('useLink', { token, password, ...(isInvitation && { username }) }),
    onSuccess(session) {
      setSession(session);
      router.history.replace('/console/');
    },
  });
  return (
    <VisitorCard
      title={isInvitation ? link.invite : link.reset(details.username)}
      help={isInvitation ? link.inviteHelp(roles[details.role]) : link.resetHelp}
    >
      <CheckedForm form={form} onSubmit={(values) => mutation.mutate(values)}>
        <Stack gap="sm">
          <TextInput
            label={general.username}
            autoComplete="username"
            required
            readOnly={!isInvitation}
            autoFocus={isInvitation}
            {...form.getInputProps('username')}
          />
          <PasswordField
            label={general.password}
            description={link.passwordHelp}
            autoComplete="new-password"
            required
            minLength={consoleLimits.operatorPasswordCharactersMin}
            autoFocus={!isInvitation}
            {...form.getInputProps('password')}
          />
          {mutation.isError &&
            (isProbablyUsed(mutation.error) ? (
              <ProbablyUsed isInvitation={isInvitation} />
            ) : (
              <FailureNotice error={mutation.error} />
            ))}
          <Button type="submit" size="sm" loading={mutation.isPending}>
            {isInvitation ? link.createAccount : link.setPassword}
          </Button>
        </Stack>
      </CheckedForm>
    </VisitorCard>
  );
}

/** Returns whether an attempt whose answer was lost has probably used the link. Only somebody else with it could have. */
function isProbablyUsed(error: Error): boolean {
  return error instanceof CallError && error.code === linkNotValid && error.followsLostAnswer;
}

function ProbablyUsed({ isInvitation }: { readonly isInvitation: boolean }) {
  const { link } = useTexts();
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      title={isInvitation ? link.probablyCreated : link.probablySet}
    >
      <Text size="sm">{link.probablyUsedHelp}</Text>
      <Anchor component={Link} to="/sign-in" size="sm">
        {link.toSignIn}
      </Anchor>
    </Alert>
  );
}
