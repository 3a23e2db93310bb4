import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { actAs } from '../../api/acting.ts';
import { CallError, callConsole, notSignedIn, PerhapsDoneError } from '../../api/call.ts';
import { useSetSession } from '../../api/session.ts';
import { leaveAfterAsking } from '../../parts/fields/unsaved-text.ts';
import { notifyFailure } from '../../parts/notices/notify.ts';
import { removeAllJobs } from '../import/job/remove-imports.ts';

/**
 * Returns whether a refusal shows that somebody is signed out. Nobody is signed in here without a session, however it
 * ended. The other sessions have ended only if an attempt whose answer was lost has ended this one too.
 */
function isSignedOut(key: 'signOut' | 'signOutEverywhere', error: unknown): boolean {
  if (error instanceof PerhapsDoneError) return true;
  return key === 'signOut' && error instanceof CallError && error.code === notSignedIn;
}

/**
 * Returns how to sign out, here or everywhere. It asks first if that throws typed text away. Imports that this browser
 * keeps are removed.
 */
export function useSignOut() {
  const router = useRouter();
  const setSession = useSetSession();
  const { mutate, isPending } = useMutation({
    mutationFn: (key: 'signOut' | 'signOutEverywhere') =>
      callConsole(key, {}).catch((error) => {
        if (!isSignedOut(key, error)) throw error;
      }),
    onError: notifyFailure,
    async onSuccess() {
      // An import that goes on would keep its file.
      actAs(undefined);
      // A browser that refuses the database has kept nothing.
      await removeAllJobs().catch(() => {});
      await router.navigate({ to: '/sign-in', ignoreBlocker: true });
      setSession(null);
    },
  });
  return {
    isPending,
    run: (key: 'signOut' | 'signOutEverywhere') => leaveAfterAsking(() => mutate(key)),
  };
}
