import type { Bench, Contender, SeededDirectory } from '../measurement.ts';
import { startProgram } from '../process/program.ts';

/**
 * The rows of an operation by prepared statements in one transaction, without HTTP.
 *
 * @param kind a kind of work that `baselines/statements.ts` knows
 * @param perCommit how many of them a transaction holds, where the kind leaves that open
 */
export function statementsAlone(
  bench: Bench,
  { folder, users }: SeededDirectory,
  kind: string,
  perCommit = 0,
): Promise<Contender> {
  return startProgram(bench, 'baselines/statements.ts', [kind, folder, users, perCommit]);
}
