import { join } from 'node:path';
import type { Inspection } from '../database.ts';
import { databaseFile } from './open.ts';

/** Stands for a database whose file is empty or missing: whatever reads it fails, and all else can be examined. */
export function openLostInspection(folder: string): Inspection {
  const location = join(folder, databaseFile);
  const lost = new Error('is lost: the file is empty or missing, but files that belong to it are beside it');
  const refuse = () => Promise.reject(lost);
  return {
    engine: 'sqlite',
    location,
    keys: { stored: refuse, listSealed: refuse, holders: refuse },
    databaseTimeMs: async () => undefined,
    newestChangeMs: refuse,
    purgedThroughSeconds: refuse,
    lastGoodBackup: refuse,
    schema: refuse,
    engineSettings: refuse,
    connectionsMax: async () => undefined,
    findDamage: refuse,
    findBrokenForeignKeys: refuse,
    findOrphans: refuse,
    findSilentTriggers: refuse,
    findChangeOrderFaults: refuse,
    findOrgCycles: refuse,
    findClaimsWithoutAudit: refuse,
    damageIn: (error) => (error === lost ? lost.message : undefined),
    close: async () => {},
  };
}
