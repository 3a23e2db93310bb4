import { setTimeout as delay } from 'node:timers/promises';
import { HeldKey } from '../../applications/held-key.ts';
import { findMasterKey } from '../../applications/master-key/find-master-key.ts';
import {
  masterKeyFile,
  masterKeyVariable,
  previousKeyVariable,
} from '../../applications/master-key/key-places.ts';
import { replaceKeyFile } from '../../applications/master-key/replace-key-file.ts';
import { goneAfterMs, isRunning } from '../../applications/process-place.ts';
import { ProcessWatch } from '../../applications/process-watch.ts';
import type { KeyHolder, KeyHolders, StoredKeys } from '../../database/database.ts';
import { keyIdOfProof } from '../../database/database.ts';
import { counted } from '../../words/counted.ts';
import { AdminError } from '../admin-error.ts';
import {
  type OpenDirectory,
  type OpenDirectoryOptions,
  requireDatabase,
  useDirectory,
} from '../open-directory.ts';
import { type KeyPlace, keyPlaceOf, readKeys } from './key-place.ts';
import { describeValue, resealAll } from './reseal.ts';

/** A stage that a rotation has reached; each is reported once it is on disk. */
export type RotationProgress =
  | { readonly stage: 'announced'; readonly keyId: string; readonly keyFile: string | undefined }
  /** These processes lack the new key. */
  | { readonly stage: 'waiting'; readonly keyId: string; readonly lacking: readonly KeyHolder[] }
  | { readonly stage: 'current'; readonly keyId: string; readonly previousKeyId: string }
  | { readonly stage: 'resealed'; readonly done: number; readonly total: number };

export interface RotationOptions extends OpenDirectoryOptions {
  /** How long to wait for processes that lack the new key, in milliseconds. */
  readonly waitMs: number;
  readonly onProgress: (progress: RotationProgress) => void;
  /** A monotonic clock, in milliseconds. */
  readonly elapsedMs?: () => number;
}

export interface RotationReport {
  readonly keyId: string;
  readonly previousKeyId: string;
  /** Number of values that are sealed under the new key. */
  readonly values: number;
  /** Descriptions of values that no key opens. */
  readonly damaged: readonly string[];
}

const lookIntervalMs = 250;

/**
 * Replaces the master key while servers run: announces the new key, waits until every process holds it, makes it
 * current, and seals every secret under it. A killed rotation continues from the stage that it reached.
 *
 * @throws {AdminError} when a process lacks the new key for too long, or the operator must provide it; the message says
 *   what to do
 */
export async function rotateKey(options: RotationOptions): Promise<RotationReport> {
  requireDatabase(options);
  return useDirectory({ ...options, create: false }, (directory) => rotate(directory, options));
}

async function rotate(directory: OpenDirectory, options: RotationOptions): Promise<RotationReport> {
  const { database, vault } = directory;
  const { onProgress } = options;
  const place = keyPlaceOf(options);
  const announced = await database.keys.announce((stored) => chooseKey(stored, place));
  // Read the keys again: announcing may have written a new key file.
  vault.hold(readKeys(place), announced.current ?? '');
  if (announced.next !== undefined) {
    requireHeld(vault.keyIds, announced.next);
    const keyId = keyIdOfProof(announced.next);
    onProgress({ stage: 'announced', keyId, keyFile: place.keyFile });
    await makeCurrent(directory, announced.next, options);
  }
  const { current = '', previous = '' } = await database.keys.stored();
  const keyId = keyIdOfProof(current);
  const previousKeyId = keyIdOfProof(previous);
  vault.sealWith(current);
  onProgress({ stage: 'current', keyId, previousKeyId });
  const { total, foreign, damaged } = await resealAll(database, vault, (done, all) =>
    onProgress({ stage: 'resealed', done, total: all }),
  );
  if (foreign.length > 0) throw lacksKeys(foreign);
  return { keyId, previousKeyId, values: total - damaged.length, damaged: damaged.map(describeValue) };
}

/**
 * Returns the proof of the key to announce. Runs inside a transaction, so that only one of two rotations that begin at
 * once writes a key file.
 */
function chooseKey({ current = '', next }: StoredKeys, place: KeyPlace): string {
  const held = readKeys(place).map((key) => new HeldKey(key));
  if (next !== undefined && held.some((key) => key.accepts(next))) return next;
  // The operator provides it, or a rotation that was killed has written it.
  const given = readCurrent(place);
  if (!given.accepts(current)) return given.proof;
  if (place.keyFile === undefined) throw new AdminError(stepsWithoutKeyFile(given.id));
  replaceKeyFile(place.folder);
  return readCurrent(place).proof;
}

function readCurrent({ folder, environment }: KeyPlace): HeldKey {
  const key = findMasterKey(folder, environment);
  if (key === undefined)
    throw new AdminError(
      `the master key is missing: put it into ${masterKeyFile} in the data folder, or set ${masterKeyVariable}; ` +
        'if it is lost for good, see docs/keys.md',
    );
  return new HeldKey(key);
}

function stepsWithoutKeyFile(keyId: string): string {
  return (
    `the master key comes from the environment and is still the current one (key id ${keyId}). ` +
    '1. Make a new key: openssl rand -base64 32. ' +
    `2. Give every node the new key in ${masterKeyVariable} and the current one in ${previousKeyVariable}, or in the ` +
    'files that the variables ending in _FILE name; restart nodes whose variables changed, one after the other. ' +
    '3. Run this command again with the same two keys'
  );
}

function requireHeld(keyIds: readonly string[], next: string): void {
  const keyId = keyIdOfProof(next);
  if (keyIds.includes(keyId)) return;
  throw new AdminError(
    `a rotation to the key ${keyId} is under way, and this command does not have that key; run it where both keys are, ` +
      'or put another new key in place of the lost one',
  );
}

function lacksKeys(foreign: readonly { readonly keyId: string }[]): AdminError {
  const ids = [...new Set(foreign.map(({ keyId }) => keyId))].join(', ');
  return new AdminError(
    `${counted(foreign.length, 'secret')} ${foreign.length === 1 ? 'is' : 'are'} sealed under the key ${ids}, which this command does not have; give it that key in ` +
      `${previousKeyVariable}, or in the file master.key.previous of the data folder, and run it again`,
  );
}

async function makeCurrent(
  { database, actor }: OpenDirectory,
  next: string,
  options: RotationOptions,
): Promise<void> {
  const { waitMs, onProgress, elapsedMs = () => performance.now() } = options;
  const keyId = keyIdOfProof(next);
  const endMs = elapsedMs() + waitMs;
  const watch = new ProcessWatch(elapsedMs);
  let shown = '';
  for (;;) {
    const holders = await database.keys.holders();
    const lacking = findLacking(holders, keyId, watch);
    const mayChange = (reports: KeyHolders) => findLacking(reports, keyId, watch).length === 0;
    if (lacking.length === 0 && (await database.keys.makeNextCurrent(next, mayChange, actor))) return;
    const { next: announced } = await database.keys.stored();
    if (announced !== next) throw new AdminError('another rotation has begun; run this command again');
    const described = lacking.map(describeHolder).join('; ');
    if (described !== shown) onProgress({ stage: 'waiting', keyId, lacking });
    shown = described;
    // The watch stops waiting for a report dated ahead by itself. Failing earlier would make the operator begin that wait again.
    const isLacked = lacking.some((holder) => isRunning(holder, holders.nowMs));
    if (isLacked && elapsedMs() > endMs) throw new AdminError(stillLacking(keyId, described));
    await delay(lookIntervalMs);
  }
}

function findLacking(
  { holders, nowMs }: KeyHolders,
  keyId: string,
  watch: ProcessWatch,
): readonly KeyHolder[] {
  return holders.filter((holder) => !holder.keyIds.includes(keyId) && watch.mayRun(holder, nowMs));
}

function stillLacking(keyId: string, described: string): string {
  return (
    `these processes do not hold the new key ${keyId}: ${described}. Give them the new key and the previous one ` +
    `where they read their keys: as master.key and master.key.previous in their data folders, in mounted files, or in ` +
    `${masterKeyVariable} and ${previousKeyVariable}, and restart them if they do not read files; a process that is gone for ` +
    `good stops counting after ${goneAfterMs / 1000} seconds. Then run the command again; until then, everything works under the current key`
  );
}

/** Names a process for an operator. */
export function describeHolder({ host, pid, keyIds }: KeyHolder): string {
  return `process ${pid} on ${host} (holds ${keyIds.join(', ')})`;
}
