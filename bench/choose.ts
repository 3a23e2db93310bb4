import type { Scenario } from './measurement.ts';
import { OptionError, type Options } from './options.ts';
import type { Choice } from './run-bench.ts';
import { matrixName } from './run-matrix.ts';
import { scenariosOf } from './scenarios.ts';

/**
 * Which measurements the options ask for.
 *
 * @throws {OptionError} for a name that there is not, or one that needs leave to start other servers
 */
export function choose({ only, full, peers, sizes }: Options): Choice {
  const scenarios = scenariosOf(sizes);
  if (only.length === 0) {
    const asked = (scenario: Scenario) =>
      (full || scenario.full !== true) && (peers || scenario.peer !== true);
    return { scenarios: scenarios.filter(asked), matrix: full };
  }
  requireKnown(only, scenarios);
  const chosen = scenarios.filter(({ name }) => only.some((wanted) => isMeant(wanted, name)));
  const peer = chosen.find((scenario) => scenario.peer === true);
  if (peer !== undefined && !peers) throw new OptionError(`--only ${peer.name} needs --peers`);
  return { scenarios: chosen, matrix: only.includes(matrixName) };
}

function requireKnown(only: readonly string[], scenarios: readonly Scenario[]): void {
  const known = [...scenarios.map(({ name }) => name), matrixName];
  const unknown = only.filter((wanted) => !known.some((name) => isMeant(wanted, name)));
  if (unknown.length > 0)
    throw new OptionError(`--only knows ${known.join(', ')}; not ${unknown.join(', ')}`);
}

function isMeant(wanted: string, name: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}
