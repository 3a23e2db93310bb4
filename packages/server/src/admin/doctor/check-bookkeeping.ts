import { dirname } from 'node:path';
import type { DoctorCheck } from './doctor-check.ts';
import { adviceOnFullDisk, adviceUnlessClosed, advise, ok, tell, warning } from './finding.ts';

/** Looks for damage of the embedded database's second file, which a server would replace. */
export const checkBookkeeping: DoctorCheck = {
  name: 'bookkeeping',
  async run({ inspection, quick }) {
    const fault = await inspection.findBookkeepingFault(!quick);
    if (fault === undefined)
      return [ok(tell('the database itself has the records', 'recordsInDatabase', {}))];
    const { file, exists, said, kind = 'damaged' } = fault;
    if (!exists) {
      // Throws without a database: no server starts then.
      await inspection.firstTenant();
      const message = `there is no ${file} yet; the server makes it when it starts`;
      return [ok(tell(message, 'recordsNotYet', { file }))];
    }
    if (said === undefined) return [ok(tell(`${file} can be read`, 'recordsReadable', { file }))];
    if (kind !== 'damaged') {
      const told = tell(`${file} ${said}`, 'recordsUnread', { file, reason: said });
      return [warning(told, adviceUnlessClosed(dirname(file), adviceUnread[kind]))];
    }
    const message =
      `${file} ${said}; the directory is not affected, but summaries of calls, failed calls, last uses of secrets, ` +
      'counts of wrong passwords and of entries, and the sessions of operators are lost';
    return [warning(tell(message, 'recordsDamaged', { file, reason: said }), advice)];
  },
};

const adviceUnread = {
  full: adviceOnFullDisk,
  unreadable: advise(
    "make the user of the server the owner of the file, and run the doctor as that user; if that is so, look for faults of the disk in the system's log",
    'readRecords',
    {},
  ),
};

const advice = advise(
  'restart the server, which moves a damaged file aside and starts a new one; operators sign in again; then check ' +
    'the disk: see "When the file is lost" in docs/monitoring.md',
  'restartForRecords',
  {},
);
