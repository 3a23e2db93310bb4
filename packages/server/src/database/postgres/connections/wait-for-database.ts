import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../../errors/operator-error.ts';
import { atMostEvery } from '../../../logging/at-most-every.ts';
import type { Notice } from '../../../logging/notice.ts';
import { adviceOn, causeOf, faultOf, isRefusedConnection } from '../errors/postgres-error.ts';
import { isRefusedCertificate } from './refused-certificates.ts';

export interface DatabaseWaitOptions {
  readonly waitSeconds: number;
  /** The location of the database, without user and password. */
  readonly location: string;
  readonly notice: Notice;
}

/** The database is up, but rejects this URL's login, or a pooler in front of it rejects the session's settings. */
class DatabaseRefusalError extends OperatorError {
  override readonly name = 'DatabaseRefusalError';

  constructor(location: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`the database at ${location} refuses the connection: ${reason}; ${adviceOn(cause)}`, { cause });
  }
}

const retryMs = 500;
const noticeIntervalMs = 10_000;

/**
 * Runs the first work on a database, and repeats it while the database cannot be reached, since servers and databases
 * start in any order. Other errors, such as a wrong password or a missing database, fail at once, because waiting does
 * not help.
 *
 * @throws the last error when the wait is over
 */
export async function waitForDatabase<T>(
  work: () => Promise<T>,
  { waitSeconds, location, notice }: DatabaseWaitOptions,
): Promise<T> {
  const startedAtMs = performance.now();
  const mayNotice = atMostEvery(noticeIntervalMs);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isRefusedConnection(causeOf(error))) throw new DatabaseRefusalError(location, causeOf(error));
      const nowMs = performance.now();
      if (!mayPass(error) || nowMs + retryMs > startedAtMs + waitSeconds * 1_000) throw error;
      if (mayNotice()) {
        const waitedSeconds = Math.round((nowMs - startedAtMs) / 1_000);
        const fields = {
          database: location,
          waited_s: waitedSeconds,
          at_most_s: waitSeconds,
          cause: String(error),
        };
        notice(fields, 'waiting for the database');
      }
    }
    await delay(retryMs);
  }
}

function mayPass(error: unknown): boolean {
  const cause = causeOf(error);
  return faultOf(cause) === 'unavailable' && !isRefusedCertificate(cause);
}

/** Returns whether an error means that PostgreSQL is away or slow for a while, and no operator has to change anything first. */
export function isOutage(error: unknown): boolean {
  const cause = causeOf(error);
  return mayPass(error) ? !isRefusedConnection(cause) : faultOf(cause) === 'too-slow';
}
