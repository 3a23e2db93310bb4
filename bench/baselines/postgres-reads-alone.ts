import { username } from '../directory/seeded-user.ts';
import type { Sample } from '../measurement.ts';
import { serveParent } from '../process/parent.ts';
import { randomNumbers } from '../scenarios/random.ts';
import { RawPostgresReads } from './raw-postgres-reads.ts';

/** Arguments: the URL of a seeded database, how many users it has, and how many reads are asked for at once. */
const [url = '', users = '', atOnce = ''] = process.argv.slice(2);
const reads = new RawPostgresReads(url);
const random = randomNumbers(1);

serveParent(undefined, countReads);

async function countReads(seconds: number): Promise<Sample> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let count = 0;
  const keepReading = async () => {
    for (; performance.now() < endsAt; count += 1) await readOne(count);
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, keepReading));
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { value: count / elapsed, cpuShare: (user + system) / 1e6 / elapsed };
}

function readOne(count: number): Promise<void> {
  const id = 1 + Math.floor(random() * Number(users));
  return count % 2 === 0 ? reads.byId(String(id)) : reads.byUsername(username(id));
}
