import type { Bench } from '../bench.ts';
import { newDirectory } from '../directory/new-directory.ts';
import type { SeededDirectory, Subject } from '../directory/seed.ts';
import type { StartContender } from '../measurement.ts';
import { startProgram } from '../process/start.ts';

/**
 * The rows of an operation by prepared statements, without HTTP.
 *
 * @param kind a kind of work that `baselines/statements.ts` knows
 * @param perCommit how many of them a transaction holds, where the kind leaves that open
 * @param directoryOf by default, a new copy
 */
export function statementsAlone(
  kind: string,
  perCommit = 0,
  directoryOf: (bench: Bench, subject: Subject) => Promise<SeededDirectory> = newDirectory,
): StartContender {
  return async (bench, subject) => {
    const { folder, users } = await directoryOf(bench, subject);
    return startProgram(bench, 'baselines/statements.ts', [kind, folder, users, perCommit]);
  };
}
