import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { callConsole } from '../../api/call.ts';
import { useSetSession } from '../../api/session.ts';
import { useTexts } from '../../i18n/texts.ts';
import { notifyFailure } from '../../parts/notify.ts';

/** Ends every session of the operator, this one included. */
export function EndSessions() {
  const { navigation } = useTexts();
  const router = useRouter();
  const setSession = useSetSession();
  const mutation = useMutation({
    mutationFn: () => callConsole('signOutEverywhere', {}),
    onError: notifyFailure,
    async onSuccess() {
      await router.navigate({ to: '/sign-in' });
      setSession(null);
    },
  });
  return (
    <Button variant="default" loading={mutation.isPending} onClick={() => mutation.mutate()}>
      {navigation.signOutEverywhere}
    </Button>
  );
}
