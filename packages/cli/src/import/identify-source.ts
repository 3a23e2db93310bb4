import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { CallTarget } from '../call/credentials.ts';
import type { ImportSource } from './user-rows.ts';

/** Returns a checksum of the file, how it is read and where it goes. */
export async function identifySource(
  { path, ...rules }: ImportSource,
  { url, appId }: CallTarget,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([rules, url, appId]));
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
