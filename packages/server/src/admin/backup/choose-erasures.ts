import type { SecretVault } from '../../applications/secret-vault.ts';
import type { Erasure } from '../../database/database.ts';
import { listErasures } from '../../database/queries/erasure/erase-users.ts';
import { hasTraces, textsOfPerson } from '../../database/queries/erasure/texts-of-person.ts';
import type { Session } from '../../database/queries/session.ts';
import { erasedNameHash } from '../erased-name-hash.ts';
import { erasureKey, mergeErasures } from './erasure-file.ts';

/** A list of erasures that a restore reads. */
export interface ErasureList {
  readonly file: string;
  /** Whether the operator named it; otherwise it was found beside the backup or the key file. */
  readonly isNamed: boolean;
  readonly erasures: readonly Erasure[];
}

/** Erasures of a list that a restore did not apply, because it knows these users under other names. */
export interface LeftOut {
  readonly file: string;
  readonly erasures: readonly Erasure[];
}

export interface ChosenErasures {
  /** Those that the restored directory has not recorded yet. */
  readonly missing: readonly Erasure[];
  readonly leftOut: readonly LeftOut[];
  /** Those that concern users of the restored directory; others must not spread into its lists. */
  readonly concerning: readonly Erasure[];
}

type Verdict = 'apply' | 'recorded' | 'other name' | 'nobody';

/**
 * Chooses the erasures to apply. Directories that share a folder of backups or of keys also share the list there, and
 * both have users of the same ids. So an erasure of a list that was merely found must not contradict the names that the
 * restored directory knows, and must concern a user of whom something is left. A list that the operator named applies as
 * it is.
 *
 * @param vault absent if nothing can compute hashes of names; then nothing contradicts an erasure
 */
export async function chooseErasures(
  session: Session,
  lists: readonly ErasureList[],
  vault: SecretVault | undefined,
): Promise<ChosenErasures> {
  const named = new Set(lists.filter(({ isNamed }) => isNamed).flatMap(keysOf));
  const recorded = await listErasures(session);
  const recordedUsers = new Set(recorded.map(userKey));
  const known = new Set(recorded.map(erasureKey));
  const verdicts = new Map<string, Verdict>();
  const missing: Erasure[] = [];
  const listed = mergeErasures(...lists.map(({ erasures }) => erasures));
  for (const erasure of listed) {
    const key = erasureKey(erasure);
    if (known.has(key)) continue;
    const identity = await identify(session, erasure, vault);
    const verdict = judge(identity, {
      isNamed: named.has(key),
      isRecorded: recordedUsers.has(userKey(erasure)),
    });
    verdicts.set(key, verdict);
    if (verdict === 'apply') missing.push(erasure);
  }
  const leftOut = lists.map(({ file, erasures }) => ({
    file,
    erasures: erasures.filter((erasure) => verdicts.get(erasureKey(erasure)) === 'other name'),
  }));
  const concerning = listed.filter((erasure) => {
    const verdict = verdicts.get(erasureKey(erasure));
    return verdict !== 'other name' && verdict !== 'nobody';
  });
  return { missing, leftOut: leftOut.filter(({ erasures }) => erasures.length > 0), concerning };
}

function keysOf({ erasures }: Pick<ErasureList, 'erasures'>): string[] {
  return erasures.map(erasureKey);
}

function userKey({ tenantId, userId }: Erasure): string {
  return `${tenantId} ${userId}`;
}

type Identity = 'same name' | 'other name' | 'unknown' | 'nobody';

/** Compares the name that was erased with those that the restored directory knows. No name ever changes. */
async function identify(
  session: Session,
  erasure: Erasure,
  vault: SecretVault | undefined,
): Promise<Identity> {
  if (!(await hasTraces(session, erasure))) return 'nobody';
  const names = await textsOfPerson(session, erasure, ['username']);
  if (vault === undefined || names.length === 0) return 'unknown';
  const isSame = names.some((name) => erasedNameHash(vault, erasure.tenantId, name) === erasure.usernameHash);
  return isSame ? 'same name' : 'other name';
}

/**
 * Applies an erasure if only audit rows without a name are left of its user: the user was deleted, and values about a
 * person in old audit rows are worth less than the promise that an erased person stays erased. If nothing at all is left,
 * there is nothing to erase: the id belongs to another directory, or to a user who is not in the backup.
 */
function judge(
  identity: Identity,
  { isNamed, isRecorded }: { readonly isNamed: boolean; readonly isRecorded: boolean },
): Verdict {
  if (identity === 'same name') return 'apply';
  // Recorded under another hash: the same user before the master key was lost, or one of another directory.
  if (isRecorded) return 'recorded';
  return identity === 'unknown' || isNamed ? 'apply' : identity;
}
