import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { actAs } from './acting.ts';
import { CallError, callConsole, notSignedIn, type OwnResult } from './call.ts';
import { awaitNewSession, countNewSessions } from './new-session.ts';
import { setServerTime } from './server-clock.ts';
import { watchedValue } from './watched-value.ts';
import { type Id, sameId } from './wire.ts';

export type Session = OwnResult<'querySession'>;

/** The signed-in operator; `null` for a visitor. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal, client }): Promise<Session | null> => {
    try {
      const session = await askForSession(signal);
      setServerTime(Number(session.time));
      const before = client.getQueryData<Session | null>(['session']);
      const isSame = before && sameId(before.operator.id, session.operator.id);
      // Another tab may have signed in again.
      if (isSame) endedSession.write(false);
      // If somebody else has, the page starts over first.
      if (isSame || !before) actAs(session.operator.id);
      return session;
    } catch (error) {
      if (!hasNoSession(error)) throw error;
      return noteEndedSession(client);
    }
  },
});

/** Asks again after a change that replaces the session: the browser gets the new one only with the answer to it. */
async function askForSession(signal: AbortSignal): Promise<Session> {
  const ask = () => callConsole('querySession', {}, undefined, { signal });
  const before = countNewSessions();
  try {
    return await ask();
  } catch (error) {
    if (!hasNoSession(error)) throw error;
    await awaitNewSession();
    if (countNewSessions() === before) throw error;
    return ask();
  }
}

function hasNoSession(error: unknown): boolean {
  return error instanceof CallError && error.code === notSignedIn;
}

/** Code of a change begun by an operator other than the one who is signed in now. */
export const otherOperatorCode = 1625;

/** Code of a call that needs a second factor, which this server requires and the operator does not have. */
export const lacksSecondFactorCode = 1621;

/** Codes of a call that the operator's role, or the tenants that it holds for, do not include. */
export const lacksRight: readonly number[] = [1604, 1606];

/** Returns whether the operator must set up a second factor before anything else. */
export function lacksSecondFactor({ operator }: Session): boolean {
  return operator.second_factor_mandatory && !operator.second_factor;
}

/** Returns whether the operator sees a tenant, which an address may name without it. */
export function sees(session: Session | null, tenant: Id): boolean {
  return session?.tenants.some(({ id }) => sameId(id, tenant)) ?? false;
}

/** Whether the session ended of itself. The page stays as it is until its operator has signed in again. */
export const endedSession = watchedValue(false);

/** For how many new sessions each query was asked again, by its hash. */
const repeatedFor = new Map<string, number>();

/**
 * Asks whether the session has ended, after a call was refused for lack of one. What was asked in the session before the
 * present one is asked again, once: two nodes may disagree about a session for as long as their clocks do.
 */
export async function checkSession(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  if (endedSession.read()) return;
  const newSessions = countNewSessions();
  const isDue = (hash: string) => (repeatedFor.get(hash) ?? 0) < newSessions;
  const refused = client
    .getQueryCache()
    .findAll({ predicate: ({ state, queryHash }) => hasNoSession(state.error) && isDue(queryHash) });
  for (const { queryHash } of refused) repeatedFor.set(queryHash, newSessions);
  const hashes = new Set(refused.map(({ queryHash }) => queryHash));
  await client.refetchQueries({ predicate: ({ queryHash }) => hashes.has(queryHash) });
}

/** Notes that the server knows no session, and returns the one that the page goes on with, if it had any. */
function noteEndedSession(client: QueryClient): Session | null {
  const before = client.getQueryData<Session | null>(['session']) ?? null;
  endedSession.write(before !== null);
  return before;
}

/** Returns the session of somebody who is signed in. Only pages behind the sign-in use it. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new TypeError('nobody is signed in');
  return data;
}

/** The tabs of a browser share its session: each tells the others when somebody signs in or out. */
const tabs = new BroadcastChannel('fieldroster-session');

/** Asks again who is signed in whenever another tab signs in or out. Returns how to stop. */
export function followOtherTabs(client: QueryClient): () => void {
  const ask = () => void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
  tabs.addEventListener('message', ask);
  return () => tabs.removeEventListener('message', ask);
}

/** Returns a function that takes over a session that began or ended here. */
export function useSetSession(): (session: Session | null) => void {
  const client = useQueryClient();
  return (session) => {
    // Nothing of the operator before may stay on the screen.
    client.clear();
    actAs(session?.operator.id);
    endedSession.write(false);
    if (session !== null) setServerTime(Number(session.time));
    client.setQueryData(sessionQuery.queryKey, session);
    tabs.postMessage(null);
  };
}

/**
 * Returns a function that takes over a session after one that ended of itself. The same operator goes on with the page
 * as it is.
 *
 * @returns whether the operator is the same
 */
export function useRenewSession(): (session: Session) => boolean {
  const client = useQueryClient();
  const setSession = useSetSession();
  const before = useSession();
  return (session) => {
    if (!sameId(session.operator.id, before.operator.id)) {
      setSession(session);
      return false;
    }
    setServerTime(Number(session.time));
    client.setQueryData(sessionQuery.queryKey, session);
    endedSession.write(false);
    client.invalidateQueries();
    tabs.postMessage(null);
    return true;
  };
}
