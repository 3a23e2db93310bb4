import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { CallError, callConsole, type OwnResult } from './call.ts';
import { setServerTime } from './change-id.ts';

/** Code of a call without a live session. */
export const notSignedIn = 1601;

export type Session = OwnResult<'querySession'>;

/** The signed-in operator; `null` for a visitor. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      const session = await callConsole('querySession', {}, undefined, { signal });
      setServerTime(Number(session.time));
      return session;
    } catch (error) {
      if (error instanceof CallError && error.code === notSignedIn) return null;
      throw error;
    }
  },
});

/** Code of a call that needs a second factor, which this server demands and the operator does not have. */
export const lacksSecondFactorCode = 1621;

/** Whether the operator must set up a second factor before anything else. */
export function lacksSecondFactor({ operator }: Session): boolean {
  return operator.second_factor_mandatory && !operator.second_factor;
}

/** Returns the session of somebody who is signed in. Only pages behind the sign-in use it. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new TypeError('nobody is signed in');
  return data;
}

/** Returns a function that takes over a session that began or ended here. */
export function useSetSession(): (session: Session | null) => void {
  const client = useQueryClient();
  return (session) => {
    // Nothing of the operator before may stay on the screen.
    client.clear();
    if (session !== null) setServerTime(Number(session.time));
    client.setQueryData(sessionQuery.queryKey, session);
  };
}
