import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkout, checkOut } from './directory/check-out.ts';
import type { Bench, RoundPlan, Scenario } from './measurement.ts';
import type { Options } from './options.ts';
import { type Figure, toFigure } from './report/figure.ts';
import { runMatrix } from './run-matrix.ts';
import { runScenario } from './run-scenario.ts';

export interface Choice {
  readonly scenarios: readonly Scenario[];
  /** Whether every operation is measured on both engines. */
  readonly matrix: boolean;
}

/** Runs the chosen measurements one after the other. */
export async function runBench(
  root: string,
  { scenarios, matrix }: Choice,
  bench: Bench,
  options: Options,
): Promise<Figure[]> {
  const before =
    options.compare === undefined ? undefined : checkOut(root, options.compare, bench.newFolder());
  try {
    const figures: Figure[] = [];
    const available = scenarios.filter((each) => isAvailable(each, bench));
    for (const [index, scenario] of available.entries()) {
      figures.push(await figureOf(scenario, root, before, bench, options));
      if (scenario.group === undefined || scenario.group !== available[index + 1]?.group)
        await bench.release();
    }
    return matrix ? [...figures, ...(await runMatrix(root, bench, ...matrixOf(options)))] : figures;
  } finally {
    before?.remove();
  }
}

const [smallUsers, matrixRoundsMax, matrixSecondsMax] = [1_000, 3, 5];

/** In a full run the matrix meets every size, in rounds that are not as long as the others. */
function matrixOf(options: Options): [plan: RoundPlan, sizes: readonly number[]] {
  const { full, users, sizes, rounds, seconds } = options;
  if (!full) return [options, [users]];
  const plan = { rounds: Math.min(rounds, matrixRoundsMax), seconds: Math.min(seconds, matrixSecondsMax) };
  const all = [...new Set([smallUsers, users, ...sizes])].toSorted((a, b) => a - b);
  return [{ ...options, ...plan }, all];
}

function isAvailable({ title, comparedTo, unavailable }: Scenario, { notes }: Bench): boolean {
  const reason = unavailable?.();
  if (reason !== undefined) notes.push(`${title} compared to ${comparedTo} was left out: ${reason}.`);
  return reason === undefined;
}

async function figureOf(
  scenario: Scenario,
  root: string,
  before: Checkout | undefined,
  bench: Bench,
  options: Options,
): Promise<Figure> {
  console.error(`${scenario.title}, compared to ${scenario.comparedTo} …`);
  const roots = { now: root, ...(before && { before: before.root }) };
  const profileFile = options.profile ? profileFileOf(root, scenario) : undefined;
  const samples = await runScenario(scenario, bench, options, roots, profileFile);
  if (profileFile !== undefined) console.error(describeProfile(profileFile));
  return toFigure(scenario, samples);
}

function profileFileOf(root: string, { name }: Scenario): string {
  const folder = join(root, 'bench/profiles');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.cpuprofile`);
  // A profile left by an earlier run would pass for this one's.
  rmSync(file, { force: true });
  return file;
}

function describeProfile(file: string): string {
  return existsSync(file)
    ? `${file} (open it with speedscope, or in a browser's developer tools)`
    : 'This row does not measure one long-running process, so it has no profile.';
}
