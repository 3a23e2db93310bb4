import type { SeededRandom } from '../../seeded-random.ts';
import {
  brokenCase,
  type FuzzCase,
  type FuzzWorld,
  harmlessDraft,
  type MakeCase,
  wholeOf,
} from './fuzz-case.ts';

/** Random bytes, and requests in which some bytes were changed. */
export const noiseCases: readonly MakeCase[] = [
  randomBytes,
  mutatedBytes,
  mutatedBytes,
  flippedBits,
  truncated,
];

function randomBytes(random: SeededRandom): FuzzCase {
  return brokenCase(random.bytes(random.integer(1, 600)));
}

/** Changes, removes or inserts a few bytes of a request that would be refused anyway. */
function mutatedBytes(random: SeededRandom, world: FuzzWorld): FuzzCase {
  let bytes = wholeOf(harmlessDraft(random, world));
  for (let count = random.integer(1, 4); count > 0; count--) {
    const at = random.integer(0, bytes.length - 1);
    const kept = random.integer(0, 2);
    const put = random.bytes(random.integer(0, 2));
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(Math.min(bytes.length, at + kept))]);
  }
  return brokenCase(bytes);
}

function flippedBits(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const bytes = wholeOf(harmlessDraft(random, world));
  for (let count = random.integer(1, 8); count > 0; count--) {
    const at = random.integer(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.integer(0, 7));
  }
  return brokenCase(bytes);
}

function truncated(random: SeededRandom, world: FuzzWorld): FuzzCase {
  const bytes = wholeOf(harmlessDraft(random, world));
  return brokenCase(bytes.subarray(0, random.integer(1, bytes.length - 1)));
}
