import type { FieldrosterError } from '@fieldroster/client';
import type { CallTarget } from './credentials.ts';

/**
 * Says what the server refused and what the person who runs a command can do. The server's own advice is for authors of
 * clients, and this person did not write the code that signs.
 */
export function describeRefusal({ code, message }: FieldrosterError, { appId }: CallTarget): string {
  const answered = `the server answered ${code}: `;
  // For every mistake but a wrong secret, the server names a likely cause, unless it says that it stopped looking for one.
  if (code === 1014 && !/likely cause: |was cut short/.test(message))
    return `${answered}${wrongSecret(appId)}`;
  const next = nextSteps[code];
  return `${answered}${message}${next === undefined ? '' : `; ${next}`}`;
}

function wrongSecret(appId: string): string {
  return (
    `the APPSECRET is not that of ${appId}; correct --app-secret, FIELDROSTER_APP_SECRET or the credentials file, or ask ` +
    'the operator for a new one; if the secret is right, a proxy changes the requests'
  );
}

const nextSteps: Readonly<Record<number, string>> = {
  // The client corrects a wrong clock by itself, so most of these come from a server that was restored.
  1012: "run the command again; if that is refused too, compare the clock of this machine with the server's",
  1013: 'correct --app-id, FIELDROSTER_APP_ID or the credentials file; the operator can list the valid APPIDs',
  1429: 'run the command again later, or ask the operator for a higher limit',
  1503: 'the command has already retried; run it again in a few minutes, and tell the operator if it fails again',
};
