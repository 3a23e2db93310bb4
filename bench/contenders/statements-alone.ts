import { newDirectory } from '../directory/new-directory.ts';
import type { StartContender } from '../measurement.ts';
import { startProgram } from '../process/start.ts';

/**
 * The rows of an operation by prepared statements, without HTTP, on a new copy of a directory.
 *
 * @param kind a kind of work that `baselines/statements.ts` knows
 * @param perCommit how many of them a transaction holds, where the kind leaves that open
 */
export function statementsAlone(kind: string, perCommit = 0): StartContender {
  return async (bench, subject) => {
    const { folder, users } = await newDirectory(bench, subject);
    return startProgram(bench, 'baselines/statements.ts', [kind, folder, users, perCommit]);
  };
}
