import type { Scenario } from './measurement.ts';
import { OptionError, type Options } from './options.ts';
import { directorySizes } from './scenarios/directory-size.ts';
import { longestDelays } from './scenarios/longest-delay.ts';
import { queryUser } from './scenarios/query-user.ts';
import { writeRows } from './scenarios/writes.ts';

/** Lists the scenarios in the order of the printed table. */
function scenariosOf(sizes: readonly number[]): readonly Scenario[] {
  return [...queryUser(sizes[0]), ...writeRows, ...longestDelays, ...directorySizes(sizes)];
}

/**
 * Chooses the scenarios that the options ask for.
 *
 * @throws {OptionError} for an unknown name, or one that needs `--peers`
 */
export function chooseScenarios({ only, full, peers, sizes }: Options): readonly Scenario[] {
  const scenarios = scenariosOf(sizes);
  if (only.length === 0) {
    return scenarios.filter((scenario) => (full || !scenario.full) && (peers || !scenario.peer));
  }
  const chosen = only.flatMap((wanted) => named(wanted, scenarios));
  const peer = chosen.find((scenario) => scenario.peer);
  if (peer !== undefined && !peers) throw new OptionError(`--only ${peer.name} needs --peers`);
  return scenarios.filter((scenario) => chosen.includes(scenario));
}

/** Finds one row by its name, or several by what precedes a final `*` or by the name of their part of the table. */
function named(wanted: string, scenarios: readonly Scenario[]): readonly Scenario[] {
  const exact = scenarios.filter(({ name }) => name === wanted);
  const start = wanted.endsWith('*') ? wanted.slice(0, -1) : `${wanted}-`;
  const found = exact.length > 0 ? exact : scenarios.filter(({ name }) => name.startsWith(start));
  if (found.length > 0) return found;
  const names = scenarios.map(({ name }) => name);
  throw new OptionError(`--only knows no row ${wanted}; the rows are ${names.join(', ')}`);
}
