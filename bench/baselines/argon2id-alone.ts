import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Sample } from '../measurement.ts';
import { serveParent } from '../process/parent.ts';

const hash = promisify(argon2);

/** What the server hashes with: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;

/** Argument: how many hashes are asked for at once; the thread pool has four threads. */
const atOnce = Number(process.argv[2]);

serveParent(undefined, countHashes);

async function countHashes(seconds: number): Promise<Sample> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let count = 0;
  const keepHashing = async () => {
    for (; performance.now() < endsAt; count += 1) {
      await hash('argon2id', { message: `password ${count}`, nonce: randomBytes(16), ...cost });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, keepHashing));
  return { value: count / ((performance.now() - startedAt) / 1000) };
}
