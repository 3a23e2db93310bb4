import { limits } from '@fieldroster/contract';
import type { SaidAdvice } from '@fieldroster/contract/console';
import { isRunning, machineOf, processPlace } from '../../applications/process-place.ts';
import type { ReplayRule } from '../../config.ts';
import { callsKeptAheadMs, clockDifferenceLimits, type ProcessClock } from '../../database/database.ts';
import type { DoctorCheck, DoctorContext } from './doctor-check.ts';
import { advise, error, note, ok, type Told, type TranslatedFinding, tell, warning } from './finding.ts';

/** Longer than writes are refused after a restore. */
const afterRestoreMsMax = 5 * 60_000;

const setClock = advise('set the clock, and let NTP keep it: chronyd or systemd-timesyncd', 'setClock', {});

/** The stored times stay in the future for a while after the clock has been set. */
const setClockIfWrong = advise(
  'set the clock that is wrong; if all clocks are right by now, do nothing: this warning ends at that time',
  'setClockIfWrong',
  {},
);

/** @param isDeleted whether servers delete the call before its time has come */
function findServerWithClock(isDeleted: boolean): Told<SaidAdvice> {
  const find = 'open /readyz on each server; it reports a clock that differs. Set that clock';
  const end = isDeleted
    ? 'a server deletes this record once it has run for a day'
    : 'this warning ends at that time';
  const wait = `If all clocks are right by now, do nothing: the record does no harm, and ${end}`;
  return advise(`${find}. ${wait}`, 'findServerWithClock', { isDeleted });
}

/** Compares the clocks of this machine and of all nodes with the database's, and with the times that are stored. */
export const checkClock: DoctorCheck = {
  name: 'clock',
  async run(context) {
    const own = await compareWithDatabase(context);
    const nodes = await compareNodes(context, own);
    return [own, ...nodes, ...(await compareWithStoredTimes(context))];
  },
};

const ownClock =
  "the database uses this machine's clock; timedatectl or chronyc tracking shows whether it is right";

async function compareWithDatabase({ inspection }: DoctorContext): Promise<TranslatedFinding> {
  const differenceMs = await inspection.clockDifferenceMs();
  if (differenceMs === undefined) return ok(tell(ownClock, 'ownClock', {}));
  const seconds = Math.round(differenceMs / 100) / 10;
  const found = `this machine's clock is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's`;
  const values = { seconds: Math.abs(seconds), ahead: seconds >= 0 };
  if (Math.abs(seconds) * 1000 > clockDifferenceLimits.readyMs) {
    const secondsMax = clockDifferenceLimits.readyMs / 1000;
    const message = `${found}; with more than ${secondsMax} s a node is not ready`;
    return error(tell(message, 'clocksDiffer', { ...values, secondsMax }), setClock);
  }
  const told = tell(found, 'clocksDiffer', values);
  return Math.abs(seconds) * 1000 > clockDifferenceLimits.warnMs ? warning(told, setClock) : ok(told);
}

/** Finds nodes whose clocks were wrong when their processes last reported. */
async function compareNodes(
  { inspection, now }: DoctorContext,
  own: TranslatedFinding,
): Promise<TranslatedFinding[]> {
  const clocks = await inspection.processClocks();
  if (clocks.length === 0) return [];
  const nowMs = (await inspection.databaseTimeMs()) ?? now();
  const wrong = clocks.filter(
    (clock) =>
      isRunning(clock, nowMs) &&
      Math.abs(clock.clockDifferenceMs) > clockDifferenceLimits.warnMs &&
      // The finding about this machine says it already.
      (own.level === 'ok' || machineOf(clock.place) !== machineOf(processPlace())),
  );
  const machines = Map.groupBy(wrong, ({ place }) => machineOf(place));
  return [...machines.values()].map((processes) => describeNode(worstOf(processes), nowMs));
}

/** The processes of a machine have one clock, but some of them measured it before it was set. */
function worstOf(processes: readonly ProcessClock[]): ProcessClock {
  return processes.reduce((worst, next) =>
    Math.abs(next.clockDifferenceMs) > Math.abs(worst.clockDifferenceMs) ? next : worst,
  );
}

function describeNode(
  { host, pid, seenAtMs, clockDifferenceMs }: ProcessClock,
  nowMs: number,
): TranslatedFinding {
  const seconds = Math.round(Math.abs(clockDifferenceMs) / 100) / 10;
  const agoSeconds = Math.max(0, Math.round((nowMs - seenAtMs) / 1000));
  const values = { host, pid, seconds, ahead: clockDifferenceMs > 0, agoSeconds };
  const found = `the clock of ${host} was ${seconds} s ${values.ahead ? 'ahead of' : 'behind'} the database's when process ${pid} there last reported, ${agoSeconds} s ago`;
  if (Math.abs(clockDifferenceMs) <= clockDifferenceLimits.readyMs)
    return warning(tell(found, 'nodeClockDiffers', values), setNodeClock(host));
  const secondsMax = clockDifferenceLimits.readyMs / 1000;
  const message = `${found}; with more than ${secondsMax} s a node is not ready`;
  return error(tell(message, 'nodeClockDiffers', { ...values, secondsMax }), setNodeClock(host));
}

function setNodeClock(host: string): Told<SaidAdvice> {
  const set = `set the clock of ${host}, or of the machine of this container, and let NTP keep it: chronyd or systemd-timesyncd`;
  return advise(`${set}; its processes report the change within a minute`, 'setNodeClock', { host });
}

/** Finds times in the future: the clock that wrote them was ahead, or this clock is behind. */
async function compareWithStoredTimes({
  inspection,
  now,
  settings,
}: DoctorContext): Promise<TranslatedFinding[]> {
  const findings: TranslatedFinding[] = [];
  const nowMs = (await inspection.databaseTimeMs()) ?? now();
  const isAhead = (atMs: number) => atMs - nowMs > clockDifferenceLimits.warnMs;
  const newestMs = await inspection.newestChangeMs();
  if (newestMs !== undefined && isAhead(newestMs)) {
    const message = `the newest change is dated ${inFuture(newestMs)}`;
    findings.push(warning(tell(message, 'changeInFuture', { at: newestMs }), setClockIfWrong));
  }
  // A server whose clock is far ahead refuses its callers' requests, so it records failures, and no changes.
  const call = await inspection.newestFailedCall();
  if (call !== undefined && isAhead(call.atMs)) {
    const message = `the failed call ${call.requestId} is dated ${inFuture(call.atMs)}`;
    const told = tell(message, 'callInFuture', { requestId: call.requestId, at: call.atMs });
    findings.push(warning(told, findServerWithClock(call.atMs - nowMs > callsKeptAheadMs)));
  }
  const refusedUntilMs = ((await inspection.purgedThroughSeconds()) - limits.timestampSkewSeconds) * 1000;
  if (refusedUntilMs >= nowMs) findings.push(refusedWrites(refusedUntilMs, nowMs, settings.replay));
  return findings;
}

function inFuture(atMs: number): string {
  return `${new Date(atMs).toISOString()}, in the future: a clock was ahead, or this one is behind`;
}

/** A restore refuses the writes of the next minutes on purpose, because it does not know which ones were accepted. */
function refusedWrites(untilMs: number, nowMs: number, replay: ReplayRule): TranslatedFinding {
  const until = new Date(untilMs).toISOString();
  if (replay === 'off') {
    const accepted = `writes are accepted because of --replay off; under another rule, every write is refused until ${until}`;
    const advice = 'set the clocks, or wait until then, before you choose another rule';
    return note(tell(accepted, 'writesAccepted', { until: untilMs }), advise(advice, 'waitBeforeRule', {}));
  }
  const readsToo = replay === 'nonce';
  const message = `every write${readsToo ? ' and every signed read' : ''} is refused until ${until}`;
  if (untilMs - nowMs <= afterRestoreMsMax) {
    const said = `${message}, as after a restore, or because a clock was ahead`;
    return warning(
      tell(said, 'writesRefused', { until: untilMs, asAfterRestore: true, readsToo }),
      advise(
        'wait until then; if requests are still refused after that, set the clocks',
        'waitForWrites',
        {},
      ),
    );
  }
  return error(
    tell(`${message}, because a clock was ahead`, 'writesRefused', {
      until: untilMs,
      asAfterRestore: false,
      readsToo,
    }),
    advise('set the clocks, then read: fieldroster claims reset --help', 'resetClaims', {}),
  );
}
