import type { ConsoleOperationKey } from '@fieldroster/contract/console';

/** Changes that end the session in which they are made, and whose answer has the cookie of a new one. */
const bringers: ReadonlySet<string> = new Set<ConsoleOperationKey>([
  'changePassword',
  'confirmSecondFactor',
  'makeRecoveryCodes',
]);

const underWay = new Set<Promise<unknown>>();
let answered = 0;

/** Notes that the answer to a call may bring a new session. Returns the answer. */
export function noteNewSession<Data>(operation: string, answer: Promise<Data>): Promise<Data> {
  if (!bringers.has(operation)) return answer;
  underWay.add(answer);
  return answer.finally(() => {
    underWay.delete(answer);
    answered++;
  });
}

/** Returns how many calls that may bring a new session have been answered. */
export function countNewSessions(): number {
  return answered;
}

/** Waits for the calls under way that may bring a new session. */
export async function awaitNewSession(): Promise<void> {
  await Promise.allSettled([...underWay]);
}
