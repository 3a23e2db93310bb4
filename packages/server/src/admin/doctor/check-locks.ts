import type { LockHolder } from '../../database/database.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { error, type Finding, note, ok, warning } from './finding.ts';

/** Looks for locks of other processes and sessions that hold up writes. */
export const checkLocks: DoctorCheck = {
  name: 'locks',
  async run({ inspection, lockWaitMs }) {
    const holders = await inspection.findLockHolders(lockWaitMs);
    if (holders === undefined) {
      const message = 'whether a lock holds up writes is unknown: this user may not write the database';
      return [note(message, 'run the doctor as the user of the server')];
    }
    if (holders.length === 0) return [ok('no lock holds up writes')];
    return holders.map(describe);
  },
};

function describe({ who, doing, holdsUp, advice }: LockHolder): Finding {
  if (holdsUp === undefined) return warning(`${who} ${doing}`, advice);
  return error(`${who} holds up ${holdsUp}: it ${doing}`, advice);
}
