import { serveFieldroster } from './contenders/fieldroster.ts';
import type { ServerUnderLoad } from './contenders/server-under-load.ts';
import type { Bench, EngineName, RoundPlan, Sample, Subject } from './measurement.ts';
import { type Figure, toFigure } from './report/figure.ts';
import { type MatrixRow, operationRows } from './scenarios/operations.ts';

/** How the command line names it. */
export const matrixName = 'operations';

const engines: readonly EngineName[] = ['SQLite', 'PostgreSQL'];

/** Puts one server of each engine and size under every load in turn, round after round. */
export async function runMatrix(
  root: string,
  bench: Bench,
  plan: RoundPlan,
  sizes: readonly number[],
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const users of sizes) {
    for (const engine of engines) {
      console.error(`operations on ${engine}, ${users.toLocaleString('en')} users …`);
      figures.push(...(await runOnEngine(engine, { root, users }, bench, plan)));
      await bench.release();
    }
  }
  return figures;
}

async function runOnEngine(engine: EngineName, subject: Subject, bench: Bench, plan: RoundPlan) {
  const server = await serveFieldroster(bench, subject, { engine });
  try {
    const rows = operationRows(subject.users);
    const samples = await measureRows(
      rows.map(({ traffic }) => server.load(() => traffic)),
      plan,
    );
    return toFigures(rows, samples).map((figure) => ({ ...figure, engine, users: subject.users }));
  } finally {
    await server.stop();
  }
}

/** After one, the rows at the beginning still ran code that the later ones had made fast. */
const warmUpPasses = 2;

/** Always in the same order: what a row unbinds, the row before it bound. */
async function measureRows(
  loads: readonly ServerUnderLoad[],
  { rounds, seconds, warmUpSeconds }: RoundPlan,
): Promise<Sample[][]> {
  const samples: Sample[][] = loads.map(() => []);
  for (let pass = 0; pass < warmUpPasses; pass += 1) {
    for (const load of loads) await load.measure(warmUpSeconds);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, load] of loads.entries()) samples[index]?.push(await load.measure(seconds));
  }
  return samples;
}

function toFigures(rows: readonly MatrixRow[], samples: readonly Sample[][]): Figure[] {
  return rows.map(({ name, title, comparedTo }, index) => {
    const reference = rows.findIndex((row) => row.name === comparedTo);
    const about = { name, title, comparedTo, unit: 'req/s', better: 'higher' } as const;
    return toFigure(about, { measured: samples[index] ?? [], reference: samples[reference] ?? [] });
  });
}
