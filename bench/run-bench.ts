import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkout, checkOut } from './directory/check-out.ts';
import type { Bench, Scenario } from './measurement.ts';
import type { Options } from './options.ts';
import { type Figure, toFigure } from './report/figure.ts';
import { summarizeProfile } from './report/profile-summary.ts';
import { runScenario } from './run-scenario.ts';

const profileLines = 30;

/** Runs the chosen scenarios one after the other. */
export async function runBench(
  root: string,
  chosen: readonly Scenario[],
  bench: Bench,
  options: Options,
): Promise<Figure[]> {
  const before =
    options.compare === undefined ? undefined : checkOut(root, options.compare, bench.newFolder());
  try {
    const figures: Figure[] = [];
    for (const scenario of chosen) figures.push(await figureOf(scenario, root, before, bench, options));
    return figures;
  } finally {
    before?.remove();
  }
}

async function figureOf(
  scenario: Scenario,
  root: string,
  before: Checkout | undefined,
  bench: Bench,
  options: Options,
): Promise<Figure> {
  console.error(`${scenario.title} …`);
  const roots = { now: root, ...(before && { before: before.root }) };
  const profileFile = options.profile ? profileFileOf(root, scenario) : undefined;
  const samples = await runScenario(scenario, bench, options, roots, profileFile);
  if (profileFile !== undefined)
    console.error(`${profileFile}\n${summarizeProfile(profileFile, profileLines)}`);
  return toFigure(scenario, samples);
}

function profileFileOf(root: string, { name }: Scenario): string {
  const folder = join(root, 'bench/profiles');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.cpuprofile`);
}
