import { Button } from '@mantine/core';
import { useTexts } from '../../i18n/texts.ts';
import { useSignOut } from '../sign-in/use-sign-out.ts';

/** Ends every session of the operator, this one included. */
export function EndSessions() {
  const { navigation } = useTexts();
  const signOut = useSignOut();
  return (
    <Button variant="default" loading={signOut.isPending} onClick={() => signOut.run('signOutEverywhere')}>
      {navigation.signOutEverywhere}
    </Button>
  );
}
