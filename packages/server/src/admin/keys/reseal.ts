import { type SecretVault, UnknownKeyError } from '../../applications/secret-vault.ts';
import { totpLabel } from '../../applications/totp-label.ts';
import {
  type Database,
  keyIdOfProof,
  namedKeyId,
  type ResealedValue,
  type SealedValue,
} from '../../database/database.ts';
import { hashKeyContext } from '../open-vault.ts';

/** Small enough that other writes do not wait for it. */
const batchValues = 100;

/** Returns the context that a value is bound to; see `SecretVault.seal`. */
export function contextOf({ place }: SealedValue): string {
  if ('operatorId' in place) return totpLabel(place.operatorId);
  return 'appId' in place ? place.appId : hashKeyContext;
}

/** Names a sealed value for an operator. */
export function describeValue({ place }: SealedValue): string {
  if ('operatorId' in place) return `the second factor of the operator ${place.operatorId}`;
  return 'appId' in place
    ? `secret ${place.secretId} of ${place.appId}`
    : 'the key of keyed hashes (setting keyed_hash_key)';
}

/** The values that are not sealed under the current key. */
export interface Unsealed {
  readonly total: number;
  /** Values that this process can seal again. */
  readonly open: readonly { readonly value: SealedValue; readonly secret: string }[];
  /** Values that name a key which this process does not hold, with its id. */
  readonly foreign: readonly { readonly value: SealedValue; readonly keyId: string }[];
  /** Values that no key opens. They were damaged, and a rotation leaves them as they are. */
  readonly damaged: readonly SealedValue[];
}

/** Opens every value that is not sealed under the current key. */
export async function findUnsealed({ keys }: Database, vault: SecretVault): Promise<Unsealed> {
  const { current = '' } = await keys.stored();
  const all = await keys.listSealed();
  const found = { total: all.length, open: [] as Unsealed['open'][number][] };
  const foreign: Unsealed['foreign'][number][] = [];
  const damaged: SealedValue[] = [];
  for (const value of all) {
    if (namedKeyId(value.sealed) === keyIdOfProof(current)) continue;
    try {
      found.open.push({ value, secret: vault.open(contextOf(value), value.sealed) });
    } catch (error) {
      if (error instanceof UnknownKeyError) foreign.push({ value, keyId: error.keyId });
      else damaged.push(value);
    }
  }
  return { ...found, foreign, damaged };
}

/**
 * Seals every value under the current key, batch by batch. Every batch is a transaction, so that a killed process
 * leaves values of both kinds, and the next run continues.
 *
 * @param onBatch receives how many values are sealed under the current key, of how many
 */
export async function resealAll(
  database: Database,
  vault: SecretVault,
  onBatch: (done: number, total: number) => void,
): Promise<Unsealed> {
  // Values that have changed in the meantime are sealed under the current key already; the next round sees that.
  for (;;) {
    const unsealed = await findUnsealed(database, vault);
    const { total, open } = unsealed;
    if (open.length === 0) return unsealed;
    for (let start = 0; start < open.length; start += batchValues) {
      const batch = open.slice(start, start + batchValues);
      await database.keys.reseal(batch.map(({ value, secret }) => reseal(vault, value, secret)));
      onBatch(total - open.length + start + batch.length, total);
    }
  }
}

function reseal(vault: SecretVault, value: SealedValue, secret: string): ResealedValue {
  return { ...value, resealed: vault.seal(contextOf(value), secret) };
}
