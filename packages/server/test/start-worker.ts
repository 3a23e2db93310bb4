import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteDatabase } from '../src/database/sqlite/open.ts';
import type { FillWork } from './fill-worker.ts';
import { ThreadMeeting } from './thread-meeting.ts';

/** Makes databases, as first starts do, in the folders that a `fill-worker.ts` puts its own into at the same time. */
const { parent, rounds, threads, name, counts } = workerData as FillWork;
const meeting = new ThreadMeeting(counts, threads);

/** The last step of a fill takes about this long, in milliseconds. */
const stepMs = 4;

for (let round = 0; round < rounds; round++) {
  meeting.meet();
  meeting.meet();
  const beginMs = performance.now() + (stepMs * round) / rounds;
  while (performance.now() < beginMs);
  const refused = await start(join(parent, String(round))).then(
    () => undefined,
    (error: Error) => error.message,
  );
  parentPort?.postMessage({ name, round, refused });
  meeting.meet();
}

async function start(folder: string): Promise<void> {
  const database = await openSqliteDatabase({ folder });
  await database.tenants.insertTenant(name);
  await database.close();
}
