import { limits } from '@fieldroster/contract';
import type { Settings } from '../../config.ts';
import { ownBytesOf } from '../limits/memory-shares.ts';
import { largestBodyBytes } from './body-limits.ts';
import { readProcessMemory } from './body-memory.ts';

const mebibyte = 1024 * 1024;

/** Chosen so that the default limits need the 512 MiB that docs/operating.md asks for. */
const ordinaryBytes = 448 * mebibyte;

/** A body of 256 MiB that is mostly spaces raised a process to 700 MB: its bytes and its text are there at once. */
const copiesOfBody = 2;

/**
 * Says when the system may kill a process for one body that the settings allow. A process that is killed can log nothing.
 */
export function memoryWarnings(
  settings: Pick<Settings, 'workers' | 'bodyBytesMax' | 'batchBodyBytesMax'>,
  memory = readProcessMemory(),
): string[] {
  const bodyBytes = largestBodyBytes(settings);
  const neededBytes = ordinaryBytes + copiesOfBody * bodyBytes;
  const ownBytes = ownBytesOf(memory, settings.workers);
  if (ownBytes >= neededBytes) return [];
  const [own, body, needed] = [ownBytes, bodyBytes, neededBytes].map((bytes) => Math.floor(bytes / mebibyte));
  const remedies = [
    'give it more',
    ...(settings.workers > 1 ? ['lower --workers'] : []),
    ...(settings.batchBodyBytesMax > limits.bulkBodyBytesMax ? ['lower --batch-body-limit'] : []),
    ...(settings.bodyBytesMax > limits.bulkBodyBytesMax ? ['lower --body-limit'] : []),
  ];
  return [
    `a server process has ${own} MiB of memory, and a body of ${body} MiB can end one that has less than ${needed} MiB; ${remedies.join(', or ')}`,
  ];
}
