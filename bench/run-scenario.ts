import type { Bench, Contender, RoundPlan, Sample, Scenario, Subject } from './measurement.ts';

/** Each contender's samples, by round. */
export interface ScenarioSamples {
  readonly measured: readonly Sample[];
  readonly reference: readonly Sample[];
  /** The same measurement of the revision that is compared with. */
  readonly before?: readonly Sample[];
}

type ContenderName = keyof ScenarioSamples;

/**
 * Measures a scenario's contenders in turn, round after round, so that whatever else the machine does in
 * the meantime meets all of them. The order is turned round every time.
 */
export async function runScenario(
  scenario: Scenario,
  bench: Bench,
  planOfRun: RoundPlan,
  roots: { readonly now: string; readonly before?: string },
  profileFile?: string,
): Promise<ScenarioSamples> {
  const subject: Subject = { root: roots.now, users: bench.users };
  const plan = { ...planOfRun, ...scenario.plan };
  const contenders = new Map<ContenderName, Contender>();
  try {
    contenders.set('measured', await scenario.measured(bench, subject));
    contenders.set('reference', await scenario.reference(bench, subject));
    if (roots.before !== undefined) {
      contenders.set('before', await scenario.measured(bench, { ...subject, root: roots.before }));
    }
    const samples = await alternate(contenders, plan);
    if (profileFile !== undefined) await contenders.get('measured')?.profile?.(plan.seconds, profileFile);
    return samples;
  } finally {
    for (const contender of contenders.values()) await contender.stop();
  }
}

/** On a busy machine the first rounds may give a process only part of its core. */
const warmUpRoundsMax = 4;

/** Keeps a contender at work until it has had so many seconds of processor time, as far as that is known. */
export async function warmUp(contender: Pick<Contender, 'measure'>, seconds: number): Promise<void> {
  let worked = 0;
  for (let round = 0; round < warmUpRoundsMax && worked < seconds * warmShare; round += 1) {
    const { cpuShare = 1 } = await contender.measure(seconds);
    worked += cpuShare * seconds;
  }
}

/** Even a server that has its core to itself leaves a part of it idle. */
const warmShare = 0.8;

async function alternate(
  contenders: ReadonlyMap<ContenderName, Contender>,
  { rounds, seconds, warmUpSeconds }: RoundPlan,
): Promise<ScenarioSamples> {
  for (const contender of contenders.values()) await warmUp(contender, warmUpSeconds);
  const samples: Record<ContenderName, Sample[]> = { measured: [], reference: [], before: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order = [...contenders];
    if (round % 2 === 1) order.reverse();
    for (const [name, contender] of order) samples[name].push(await contender.measure(seconds));
  }
  const { measured, reference, before } = samples;
  return { measured, reference, ...(before.length > 0 && { before }) };
}
