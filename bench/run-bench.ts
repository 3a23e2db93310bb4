import { checkOut } from './directory/check-out.ts';
import type {
  Bench,
  Contender,
  RoundPlan,
  Run,
  Sample,
  Scenario,
  ScenarioSamples,
  Subject,
} from './measurement.ts';
import { openBench } from './open-bench.ts';
import type { Options } from './options.ts';
import { type Figure, toFigure } from './report/figure.ts';

type ContenderName = keyof ScenarioSamples;

/** The checkouts under test. */
interface Roots {
  readonly now: string;
  readonly before?: string;
}

/** Runs the chosen scenarios one after another. */
export async function runBench(
  root: string,
  scenarios: readonly Scenario[],
  run: Run,
  options: Options,
): Promise<Figure[]> {
  const { compare } = options;
  using before = compare === undefined ? undefined : checkOut(root, compare, run.newFolder());
  const roots = { now: root, ...(before && { before: before.root }) };
  const figures: Figure[] = [];
  const available = scenarios.filter((each) => isAvailable(each, run));
  for (const rows of Map.groupBy(available, ({ group, name }) => group ?? name).values()) {
    await using bench = openBench(run);
    for (const row of rows) figures.push(await figureOf(row, roots, bench, options));
  }
  return figures;
}

function isAvailable({ title, comparedTo, unavailable }: Scenario, { notes }: Run): boolean {
  const reason = unavailable?.();
  if (reason !== undefined) notes.push(`${title} compared to ${comparedTo} was left out: ${reason}.`);
  return reason === undefined;
}

/** Measures the contenders of a scenario in turn, so that other work on the machine affects all of them. */
async function figureOf(scenario: Scenario, roots: Roots, group: Bench, options: Options): Promise<Figure> {
  console.error(`${scenario.title}, compared to ${scenario.comparedTo} …`);
  await using bench = openBench(group);
  const subject: Subject = { root: roots.now, users: bench.users };
  const contenders = new Map<ContenderName, Contender>();
  contenders.set('measured', await scenario.measured(bench, subject));
  contenders.set('reference', await scenario.reference(bench, subject));
  if (roots.before !== undefined) {
    contenders.set('before', await scenario.measured(bench, { ...subject, root: roots.before }));
  }
  return toFigure(scenario, await alternate(contenders, { ...options, ...scenario.plan }));
}

/** The order reverses with each round. */
async function alternate(
  contenders: ReadonlyMap<ContenderName, Contender>,
  { rounds, seconds, warmUpSeconds }: RoundPlan,
): Promise<ScenarioSamples> {
  for (const contender of contenders.values()) await warmUp(contender, warmUpSeconds);
  const samples: Record<ContenderName, Sample[]> = { measured: [], reference: [], before: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order = [...contenders];
    if (round % 2 === 1) order.reverse();
    for (const [name, contender] of order) samples[name].push(await contender(seconds));
  }
  const { measured, reference, before } = samples;
  return { measured, reference, ...(before.length > 0 && { before }) };
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
