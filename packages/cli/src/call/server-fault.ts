/** Begins the message of every fault in which no connection was established; the client says the same. */
export const unreachable = 'the server cannot be reached: ';

/** Begins the message of every redirect; the client says the same. */
export const redirected = 'the server answered with a redirect';

/** Says which server a fault is about, and how to name another one if that helps. */
export function serverFault(url: string, problem: string): string {
  const isElsewhere = problem.startsWith(unreachable) || problem.startsWith(redirected);
  const hint = isElsewhere ? '; --url or FIELDROSTER_URL names another server' : '';
  return `${url}: ${problem}${hint}`;
}
