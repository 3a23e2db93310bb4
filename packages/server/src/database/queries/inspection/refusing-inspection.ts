import type { Inspection } from '../../database.ts';

/** Methods that do not read an embedded database. */
const answered = {
  databaseTimeMs: async () => undefined,
  clockDifferenceMs: async () => undefined,
  newestFailedCall: async () => undefined,
  connectionsMax: async () => undefined,
};

/**
 * Stands in for a database that cannot be read at all: methods that read it fail, and the others work.
 *
 * @param said what `damageIn` returns for each failure
 */
export function refusingInspection(
  { engine, location }: Pick<Inspection, 'engine' | 'location'>,
  said: string,
): Inspection {
  const unreadable = new Error(said);
  const refuse = () => Promise.reject(unreadable);
  return {
    engine,
    location,
    keys: { stored: refuse, listSealed: refuse, holders: refuse },
    databaseTimeMs: refuse,
    clockDifferenceMs: refuse,
    processClocks: refuse,
    newestChangeMs: refuse,
    newestFailedCall: refuse,
    purgedThroughSeconds: refuse,
    lastGoodBackup: refuse,
    firstTenant: refuse,
    findLockHolders: refuse,
    schema: refuse,
    engineSettings: refuse,
    limitsApplications: refuse,
    connectionsMax: refuse,
    ...(engine === 'sqlite' && answered),
    findDamage: refuse,
    findBookkeepingFault: refuse,
    findBrokenForeignKeys: refuse,
    findOrphans: refuse,
    findMissingParts: refuse,
    findSearchFaults: refuse,
    findSearchDifferences: refuse,
    findSilentTriggers: refuse,
    findClosedTables: refuse,
    findChangeOrderFaults: refuse,
    findOrgCycles: refuse,
    findClaimsWithoutAudit: refuse,
    damageIn: (error) => (error === unreadable ? said : undefined),
    isLockedOut: () => false,
    close: async () => {},
  };
}
