import type { Bench, Contender, SeededDirectory, StartContender } from '../measurement.ts';
import { startProgram } from '../process/program.ts';

/**
 * The rows of an operation by prepared statements, without HTTP, on a copy of the directory.
 *
 * @param kind a kind of work that `baselines/statements.ts` knows
 * @param perCommit how many of them a transaction holds, where the kind leaves that open
 */
export function statementsAlone(kind: string, perCommit?: number): StartContender {
  return async (bench, subject) => statementsOn(bench, await bench.newDirectory(subject), kind, perCommit);
}

/** The same on a given directory. */
export function statementsOn(
  bench: Bench,
  { folder, users }: SeededDirectory,
  kind: string,
  perCommit = 0,
): Promise<Contender> {
  return startProgram(bench, 'baselines/statements.ts', [kind, folder, users, perCommit]);
}
