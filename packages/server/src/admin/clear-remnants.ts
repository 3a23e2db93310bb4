import type { ClearedRemnants, Database } from '../database/database.ts';

/** What an erasure left outside the tables. */
export interface Remnants {
  /** Whether the free space and the write-ahead log no longer have the data either; undefined on PostgreSQL. */
  readonly remnants: ClearedRemnants | undefined;
  /** Why they could not be cleared, in part or at all. */
  readonly remnantsFailed: string | undefined;
}

/** Never rejects. The erasure is committed by now, so a failure must not hide what it did. */
export async function clearRemnants({ erasures }: Pick<Database, 'erasures'>): Promise<Remnants> {
  try {
    return { remnants: await erasures.clearRemnants(), remnantsFailed: undefined };
  } catch (error) {
    return remnantsLeft(error);
  }
}

export function remnantsLeft(error: unknown): Remnants {
  const remnants = { freeSpaceOverwritten: false, logEmptied: false };
  return { remnants, remnantsFailed: (error as Error).message };
}
