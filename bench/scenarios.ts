import type { Scenario } from './measurement.ts';
import { OptionError, type Options } from './options.ts';
import { directorySizes } from './scenarios/directory-size.ts';
import { longestDelays } from './scenarios/longest-delay.ts';
import { queryUser } from './scenarios/query-user.ts';
import { writeRows } from './scenarios/writes.ts';

/** In the order of the printed table. */
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
  const unknown = only.filter((wanted) => !scenarios.some(matching(wanted, scenarios)));
  if (unknown.length > 0) {
    const names = scenarios.map(({ name }) => name);
    throw new OptionError(`--only knows no row ${unknown.join(', ')}; the rows are ${names.join(', ')}`);
  }
  const matches = only.map((wanted) => matching(wanted, scenarios));
  const chosen = scenarios.filter((scenario) => matches.some((isMatch) => isMatch(scenario)));
  const peer = chosen.find((scenario) => scenario.peer);
  if (peer !== undefined && !peers) throw new OptionError(`--only ${peer.name} needs --peers`);
  return chosen;
}

/** Matches one row by its name, and several by what precedes a final `*` or by the name of their part of the table. */
function matching(wanted: string, scenarios: readonly Scenario[]): (scenario: Scenario) => boolean {
  if (scenarios.some(({ name }) => name === wanted)) return ({ name }) => name === wanted;
  const start = wanted.endsWith('*') ? wanted.slice(0, -1) : `${wanted}-`;
  return ({ name }) => name.startsWith(start);
}
