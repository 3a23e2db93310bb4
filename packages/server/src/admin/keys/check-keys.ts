import { isRunning } from '../../applications/process-place.ts';
import { SecretVault } from '../../applications/secret-vault.ts';
import {
  type Inspection,
  type KeyHolder,
  keyIdOfProof,
  namedKeyId,
  type SealedValue,
} from '../../database/database.ts';
import { type OpenDirectoryOptions, openDatabaseAlone } from '../open-directory.ts';
import { keyPlaceOf, readKeys } from './key-place.ts';
import { contextOf, describeValue } from './reseal.ts';

/** The number of values sealed under a key, and whether this command could open them. */
export interface KeyUse {
  /** Absent for values of earlier releases, which do not name their key, when no key opens them. */
  readonly keyId?: string;
  readonly values: number;
  /** How many of them do not name their key. After a rotation, all do. */
  readonly unnamed: number;
  readonly opened: number;
}

export interface KeysReport {
  /** Ids of the keys that this command has. */
  readonly heldKeyIds: readonly string[];
  readonly currentKeyId?: string;
  /** A rotation waits until every process holds this key. */
  readonly nextKeyId?: string;
  /** A rotation has replaced this key and is not finished. */
  readonly previousKeyId?: string;
  readonly uses: readonly KeyUse[];
  /** Descriptions of the values that no key of this command opens. */
  readonly unopened: readonly string[];
  readonly processes: readonly (KeyHolder & { readonly running: boolean })[];
}

/** Reports which keys open which values, and which processes hold which keys. Changes nothing. */
export async function checkKeys(options: OpenDirectoryOptions): Promise<KeysReport> {
  const keys = readKeys(keyPlaceOf(options));
  const database = await openDatabaseAlone(options);
  try {
    return await reportKeys(database, keys);
  } finally {
    await database.close();
  }
}

/** Does the same on an open database. */
export async function reportKeys(
  database: Pick<Inspection, 'keys'>,
  keys: readonly Uint8Array[],
): Promise<KeysReport> {
  const [first, ...others] = keys;
  const vault = first === undefined ? undefined : new SecretVault(first, ...others);
  const { current, next, previous } = await database.keys.stored();
  const values = (await database.keys.listSealed()).map((value) => ({ value, ...openWith(vault, value) }));
  const { holders, nowMs } = await database.keys.holders();
  return {
    heldKeyIds: vault?.keyIds ?? [],
    ...(current !== undefined && { currentKeyId: keyIdOfProof(current) }),
    ...(next !== undefined && { nextKeyId: keyIdOfProof(next) }),
    ...(previous !== undefined && { previousKeyId: keyIdOfProof(previous) }),
    uses: [...Map.groupBy(values, ({ keyId }) => keyId)].map(([keyId, group]) => ({
      ...(keyId !== undefined && { keyId }),
      values: group.length,
      unnamed: group.filter(({ value }) => namedKeyId(value.sealed) === undefined).length,
      opened: group.filter(({ opened }) => opened).length,
    })),
    unopened: values.filter(({ opened }) => !opened).map(({ value }) => describeValue(value)),
    processes: holders.map((holder) => ({ ...holder, running: isRunning(holder, nowMs) })),
  };
}

function openWith(
  vault: SecretVault | undefined,
  value: SealedValue,
): { readonly keyId: string | undefined; readonly opened: boolean } {
  try {
    const opened = vault?.openBy(contextOf(value), value.sealed);
    return { keyId: opened?.keyId ?? namedKeyId(value.sealed), opened: opened !== undefined };
  } catch {
    return { keyId: namedKeyId(value.sealed), opened: false };
  }
}
