import { limits } from '@fieldroster/contract';
import { clockDifferenceLimits } from '../../database/database.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { error, type Finding, ok, warning } from './finding.ts';

/** Longer than writes are refused after a restore. */
const afterRestoreMsMax = 5 * 60_000;

const setClock = 'set the clock, and let NTP keep it: chronyd or systemd-timesyncd';

/** Compares this machine's clock with the database's, and with the times that are stored. */
export const checkClock: DoctorCheck = {
  name: 'clock',
  async run(context) {
    return [await compareWithDatabase(context), ...(await compareWithStoredTimes(context))];
  },
};

async function compareWithDatabase({ inspection, now }: DoctorContext): Promise<Finding> {
  const databaseMs = await inspection.databaseTimeMs();
  if (databaseMs === undefined) return ok("the database uses this machine's clock");
  const seconds = Math.round((now() - databaseMs) / 100) / 10;
  const found = `this machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's`;
  if (Math.abs(seconds) * 1000 > clockDifferenceLimits.readyMs) {
    return error(
      `${found}; with more than ${clockDifferenceLimits.readyMs / 1000} s a node is not ready`,
      setClock,
    );
  }
  return Math.abs(seconds) * 1000 > clockDifferenceLimits.warnMs ? warning(found, setClock) : ok(found);
}

/** Finds times in the future: the clock that wrote them was ahead, or this clock is behind. */
async function compareWithStoredTimes({ inspection, now }: DoctorContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  const nowMs = (await inspection.databaseTimeMs()) ?? now();
  const newestMs = await inspection.newestChangeMs();
  if (newestMs !== undefined && newestMs - nowMs > clockDifferenceLimits.warnMs) {
    const message = `the newest change is dated ${new Date(newestMs).toISOString()}, in the future: a clock was ahead, or this one is behind`;
    findings.push(warning(message, setClock));
  }
  const refusedUntilMs = ((await inspection.purgedThroughSeconds()) - limits.timestampSkewSeconds) * 1000;
  if (refusedUntilMs >= nowMs) findings.push(refusedWrites(refusedUntilMs, nowMs));
  return findings;
}

/** A restore refuses the writes of the next minutes on purpose, because it does not know which ones were accepted. */
function refusedWrites(untilMs: number, nowMs: number): Finding {
  const message = `every write is refused until ${new Date(untilMs).toISOString()}`;
  if (untilMs - nowMs <= afterRestoreMsMax) {
    return warning(
      `${message}, as after a restore, or because a clock was ahead`,
      'wait until then; if it is refused even later, set the clocks',
    );
  }
  return error(
    `${message}, because a clock was ahead`,
    'set the clocks, then read: fieldroster claims reset --help',
  );
}
