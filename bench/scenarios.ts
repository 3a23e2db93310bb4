import { matchesGlob } from 'node:path';
import type { Scenario } from './measurement.ts';
import { OptionError, type Options } from './options.ts';
import { directorySizes } from './scenarios/directory-size.ts';
import { longestDelays } from './scenarios/longest-delay.ts';
import { queryUser } from './scenarios/query-user.ts';
import { writeRows } from './scenarios/writes.ts';

/**
 * Chooses the scenarios that the options ask for, in the order of the printed table.
 *
 * @throws {OptionError} for an unknown name, or one that needs `--peers`
 */
export function chooseScenarios({ only, full, peers, sizes }: Options): readonly Scenario[] {
  const scenarios = [...queryUser(sizes[0]), ...writeRows, ...longestDelays, ...directorySizes(sizes)];
  if (only.length === 0) {
    return scenarios.filter((scenario) => (full || !scenario.full) && (peers || !scenario.peer));
  }
  const chosen = only.flatMap((wanted) => named(wanted, scenarios));
  const peer = chosen.find((scenario) => scenario.peer);
  if (peer !== undefined && !peers) throw new OptionError(`--only ${peer.name} needs --peers`);
  return scenarios.filter((scenario) => chosen.includes(scenario));
}

/** Finds the rows whose names match a pattern. */
function named(pattern: string, scenarios: readonly Scenario[]): readonly Scenario[] {
  const found = scenarios.filter(({ name }) => matchesGlob(name, pattern));
  if (found.length > 0) return found;
  const names = scenarios.map(({ name }) => name);
  throw new OptionError(`--only knows no row ${pattern}; the rows are ${names.join(', ')}`);
}
