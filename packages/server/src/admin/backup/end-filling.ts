import type { CopySession } from '../../database/copy-session.ts';
import { OutcomeUnknownError } from '../../database/database.ts';
import { AdminError } from '../admin-error.ts';

/** What to do about a filling whose outcome is unknown. */
const repeatFilling =
  'run the same command again; if it says that the target already holds data or a directory, everything was ' +
  'done, and only the statistics may be missing: run ANALYZE there';

/**
 * Commits the work on a target.
 *
 * @param advice says what to do if the outcome is unknown
 * @throws {AdminError} when the reply to the commit was lost
 */
export async function commitTarget(
  { commit, location }: Pick<CopySession, 'commit' | 'location'>,
  advice = repeatFilling,
): Promise<void> {
  try {
    await commit();
  } catch (cause) {
    if (!(cause instanceof OutcomeUnknownError)) throw cause;
    throw new AdminError(
      `the connection to ${location} ended during the commit, so it is not known whether everything was done there or nothing: ${advice}`,
      { cause },
    );
  }
}

/**
 * Runs a step that follows the commit. If it fails, what was asked for is done nevertheless.
 *
 * @param describe makes a warning of the message of the failure
 * @returns the warning, if it failed
 */
export async function tryLastStep(
  step: () => Promise<unknown>,
  describe: (message: string) => string,
): Promise<readonly string[]> {
  try {
    await step();
    return [];
  } catch (error) {
    return [describe((error as Error).message)];
  }
}

/** Describes that the statistics of filled tables could not be refreshed. */
export function describeStaleStatistics(message: string): string {
  return `the statistics of the tables could not be refreshed (${message}), so calls may be slow: run ANALYZE in the database`;
}
