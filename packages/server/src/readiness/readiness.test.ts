import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readiness } from './readiness.ts';
import { NotReadyError, type ReadinessCheck } from './readiness-check.ts';

/** Makes a readiness that runs its checks on demand, with its own clock and log. */
function watch(checks: readonly ReadinessCheck[], probeTimeoutMs = 60_000) {
  const clock = { nowMs: 0 };
  const lines: object[] = [];
  const log = (fields: object, message: string) => lines.push({ ...fields, message });
  const readiness = new Readiness(checks, {
    logger: { info: log, warn: log },
    probeTimeoutMs,
    now: () => clock.nowMs,
  });
  return { readiness, clock, lines };
}

/** Makes a check whose result the test sets. */
function check(scope: ReadinessCheck['scope'] = 'node') {
  const subject = {
    name: 'subject',
    scope,
    problem: undefined as string | undefined,
    error: undefined as Error | undefined,
    probes: 0,
    async probe() {
      subject.probes += 1;
      if (subject.error !== undefined) throw subject.error;
      return subject.problem;
    },
  };
  return subject;
}

const never = () => new Promise<undefined>(() => {});

test('a node is not ready before its checks have a result', () => {
  const { readiness } = watch([check()]);
  assert.equal(readiness.state().ready, false);
});

test('a problem of the node makes it not ready until the problem is over', async () => {
  const subject = check();
  const { readiness } = watch([subject]);
  await readiness.probe();
  assert.equal(readiness.state().ready, true);
  subject.problem = 'the disk is full; free some space';
  await readiness.probe();
  assert.equal(readiness.state().ready, false);
  assert.equal(readiness.state().checks[0]?.problem, subject.problem);
  subject.problem = undefined;
  await readiness.probe();
  assert.equal(readiness.state().ready, true);
});

test('a problem that all nodes share is reported and leaves the node ready', async () => {
  const { readiness } = watch([Object.assign(check('shared'), { problem: 'the database takes no writes' })]);
  await readiness.probe();
  const { ready, checks } = readiness.state();
  assert.equal(ready, true);
  assert.equal(checks[0]?.problem, 'the database takes no writes');
});

test('a check that does not answer within its limit is a problem, and is not asked again meanwhile', async () => {
  let probes = 0;
  const probe = () => {
    probes += 1;
    return never();
  };
  const hung: ReadinessCheck = { name: 'hung', scope: 'node', probe };
  const { readiness } = watch([hung, check()], 1);
  await readiness.probe();
  await readiness.probe();
  assert.equal(probes, 1);
  const [hungState, other] = readiness.state().checks;
  assert.equal(hungState?.problem, 'it has not answered within 1 ms');
  assert.equal(other?.problem, undefined, 'the others are not held up');
  assert.equal(readiness.state().ready, false);
});

test('the limit of a probe is two seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const logger = { info() {}, warn() {} };
  const readiness = new Readiness([{ name: 'hung', scope: 'node', probe: never }], { logger });
  const started = readiness.start();
  t.mock.timers.tick(2_000);
  await started;
  assert.equal(readiness.state().checks[0]?.problem, 'it has not answered within 2000 ms');
  readiness.stop();
});

test('the checks run every second until they are stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const subject = check();
  const readiness = new Readiness([subject], { logger: { info() {}, warn() {} } });
  await readiness.start();
  for (let second = 0; second < 3; second++) {
    t.mock.timers.tick(1_000);
    // The check under way ends before the next one is due.
    await new Promise(setImmediate);
  }
  assert.equal(subject.probes, 4);
  readiness.stop();
  t.mock.timers.tick(5_000);
  assert.equal(subject.probes, 4);
});

test('an outdated state makes the node not ready', async () => {
  const { readiness, clock } = watch([check('shared')]);
  await readiness.probe();
  clock.nowMs = 10_000;
  assert.deepEqual(readiness.state(), {
    ready: true,
    checks: [{ name: 'subject', scope: 'shared', problem: undefined, ageMs: 10_000 }],
  });
  clock.nowMs = 10_001;
  assert.equal(readiness.state().ready, false);
  assert.match(readiness.state().checks[0]?.problem ?? '', /restart this node/);
});

test('a problem is logged when it appears, changes and ends, and not in between', async () => {
  const subject = check();
  const { readiness, lines } = watch([subject]);
  for (const problem of [undefined, 'a', 'a', 'b', undefined, undefined]) {
    subject.problem = problem;
    await readiness.probe();
  }
  const about = { check: 'subject', scope: 'node' };
  assert.deepEqual(lines, [
    { ...about, problem: 'a', cause: undefined, message: 'there is a problem' },
    { ...about, problem: 'b', cause: undefined, message: 'there is a problem' },
    { ...about, message: 'the problem is over' },
  ]);
});

test('only the log learns why a check failed', async () => {
  const subject = check();
  const { readiness, lines } = watch([subject]);
  const secret = 'password authentication failed for "fieldroster" at db-7.internal';
  subject.error = new Error(secret);
  await readiness.probe();
  assert(!JSON.stringify(readiness.state()).includes('db-7'));
  assert.match(JSON.stringify(lines), /db-7/);
  subject.error = new NotReadyError('it does not answer', { cause: new Error(secret) });
  await readiness.probe();
  assert.equal(readiness.state().checks[0]?.problem, 'it does not answer');
  assert(!JSON.stringify(readiness.state()).includes('db-7'));
});
