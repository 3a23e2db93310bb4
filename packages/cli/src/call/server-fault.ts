/** Begins the message of every fault in which no connection was established; the client says the same. */
export const unreachable = 'the server cannot be reached: ';

/** Says which server a fault is about, and how to name another one if it cannot be reached. */
export function serverFault(url: string, problem: string): string {
  const hint = problem.startsWith(unreachable) ? '; --url or FIELDROSTER_URL names another server' : '';
  return `${url}: ${problem}${hint}`;
}
