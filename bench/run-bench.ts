import { type Bench, openPart } from './bench.ts';
import { checkOut } from './directory/check-out.ts';
import type { Contender, RoundPlan, Sample, Scenario } from './measurement.ts';
import type { Options } from './options.ts';
import { type Figure, type ScenarioSamples, toFigure } from './report/figure.ts';

type Contenders = ReadonlyMap<keyof ScenarioSamples, Contender>;

/** Runs the chosen scenarios one after another. */
export async function runBench(
  root: string,
  scenarios: readonly Scenario[],
  run: Bench,
  options: Options,
): Promise<Figure[]> {
  const { users, compare } = options;
  const before = compare && checkOut(run, root, compare);
  const figures: Figure[] = [];
  for (const row of scenarios) {
    const pair = `${row.title} compared to ${row.comparedTo}`;
    const reason = row.unavailable?.();
    if (reason !== undefined) {
      run.notes.push(`${pair} was left out: ${reason}.`);
      continue;
    }
    console.error(`${pair} …`);
    await using bench = openPart(run);
    const contenders: Contenders = new Map([
      ['measured', await row.measured(bench, { root, users })],
      ['reference', await row.reference(bench, { root, users })],
      ...(before ? [['before', await row.measured(bench, { root: before, users })] as const] : []),
    ]);
    figures.push(toFigure(row, await alternate(contenders, { ...options, ...row.plan })));
  }
  return figures;
}

/**
 * Measures the contenders in turn, so that other work on the machine affects all of them. The order reverses with each
 * round.
 */
async function alternate(
  contenders: Contenders,
  { rounds, seconds, warmUpSeconds }: RoundPlan,
): Promise<ScenarioSamples> {
  for (const contender of contenders.values()) await warmUp(contender, warmUpSeconds);
  const samples = { measured: [] as Sample[], reference: [] as Sample[], before: [] as Sample[] };
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [...contenders] : [...contenders].reverse();
    for (const [side, contender] of order) samples[side].push(await contender(seconds));
  }
  return samples;
}

/** On a busy machine, a process may get only part of its core. */
const warmUpRoundsMax = 4;

/** Even a server that has its core to itself leaves part of it idle. */
const warmShare = 0.8;

/** Runs a contender until it has used that many seconds of processor time, as far as that is known. */
export async function warmUp(contender: Contender, seconds: number): Promise<void> {
  let worked = 0;
  for (let round = 0; round < warmUpRoundsMax && worked < seconds * warmShare; round += 1) {
    const { cpuShare = 1 } = await contender(seconds);
    worked += cpuShare * seconds;
  }
}
