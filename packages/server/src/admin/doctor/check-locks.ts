import type { LockHolder } from '../../database/database.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { asServerUser, error, note, ok, type TranslatedFinding, tell, warning } from './finding.ts';

/** Looks for locks of other processes and sessions that hold up writes. */
export const checkLocks: DoctorCheck = {
  name: 'locks',
  async run({ inspection, lockWaitMs }) {
    const holders = await inspection.findLockHolders(lockWaitMs);
    if (holders === undefined) {
      const message = 'cannot tell whether a lock holds up writes: this user may not write to the database';
      return [note(tell(message, 'locksUnknown', {}), asServerUser)];
    }
    if (holders.length === 0) return [ok(tell('no lock holds up writes', 'noLocks', {}))];
    return holders.map(describe);
  },
};

function describe({ who, doing, holdsUp, advice, said, advised }: LockHolder): TranslatedFinding {
  const told = { text: advice, said: advised };
  if (holdsUp === undefined) return warning({ text: `${who} ${doing}`, said }, told);
  return error({ text: `${who} holds up ${holdsUp}: it ${doing}`, said }, told);
}
