import { checkOut } from './directory/check-out.ts';
import type { Contender, RoundPlan, Sample, Scenario } from './measurement.ts';
import { openBench, type Run } from './open-bench.ts';
import type { Options } from './options.ts';
import { type Figure, type ScenarioSamples, toFigure } from './report/figure.ts';

type Contenders = ReadonlyMap<keyof ScenarioSamples, Contender>;

/** Runs the chosen scenarios one after another. */
export async function runBench(
  root: string,
  scenarios: readonly Scenario[],
  run: Run,
  options: Options,
): Promise<Figure[]> {
  const { users, compare } = options;
  using before = compare === undefined ? undefined : checkOut(root, compare, run.newFolder());
  const figures: Figure[] = [];
  const available = scenarios.filter((each) => isAvailable(each, run));
  for (const rows of Map.groupBy(available, ({ group, name }) => group ?? name).values()) {
    await using group = openBench(run);
    for (const row of rows) {
      console.error(`${row.title}, compared to ${row.comparedTo} …`);
      await using bench = openBench(group);
      const contenders: Contenders = new Map([
        ['measured', await row.measured(bench, { root, users })],
        ['reference', await row.reference(bench, { root, users })],
        ...(before ? [['before', await row.measured(bench, { root: before.root, users })] as const] : []),
      ]);
      figures.push(toFigure(row, await alternate(contenders, { ...options, ...row.plan })));
    }
  }
  return figures;
}

function isAvailable({ title, comparedTo, unavailable }: Scenario, { notes }: Run): boolean {
  const reason = unavailable?.();
  if (reason !== undefined) notes.push(`${title} compared to ${comparedTo} was left out: ${reason}.`);
  return reason === undefined;
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
    for (const [name, contender] of order) samples[name].push(await contender(seconds));
  }
  const { before, ...sides } = samples;
  return { ...sides, ...(before.length > 0 && { before }) };
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
