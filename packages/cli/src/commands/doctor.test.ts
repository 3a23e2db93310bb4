import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { NamedFinding } from '@fieldroster/server/admin';
import { openTestPostgres } from '../../../server/test/test-postgres.ts';
import { type CommandResult, collect, runCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';
import { startAndStopInDraft } from '../../test/start-and-stop-in-draft.ts';

const data = join(temporaryFolder(), 'data');
const doctor = (...words: string[]) => runCommand(['doctor', '--data', data, ...words]);

test('a database that is missing or does not answer is an error', async () => {
  const { exitCode, stdout, stderr } = await doctor();
  assert.deepEqual([exitCode, stderr], [2, '']);
  assert.match(stdout, /^error {4}database {7}there is no database in .*\n {24}→ name the right database/);
  const url = 'postgres://u:geheim@127.0.0.1:1/n';
  const unreachable = await doctor('--database', url, '--json');
  assert.equal(unreachable.exitCode, 2);
  const { findings } = JSON.parse(unreachable.stdout) as { findings: NamedFinding[] };
  assert.equal(findings[0]?.check, 'database');
  assert.match(
    findings.at(-1)?.message ?? '',
    /^because of that, these checks could not be made: locks, clock,/,
  );
  assert.ok(findings.some(({ level, check }) => check === 'settings' && level === 'ok'));
  assert.ok(!unreachable.stdout.includes('geheim'));
});

test('a file in place of the data folder has no free space, no modes and no list of erasures to judge', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const { exitCode, stdout } = await runCommand(['doctor', '--quick', '--data', file]);
  assert.equal(exitCode, 2);
  assert.match(stdout, /^error {4}database {7}there is no database in .*, which is a file; /);
  assert.match(stdout, /^error {4}disk space {5}the free space of .* is unknown: it is not a folder\n/m);
  assert.match(stdout, /^note {5}file modes {5}there is no folder .*, or this user may not see it\n/m);
  assert.doesNotMatch(stdout, /^ok {7}(disk space|file modes) |list of erasures/m);
});

test('a command in an advice works for a path with blanks and Chinese characters', async () => {
  const folder = join(temporaryFolder(), "data of 三 o'clock");
  await runCommand(['app', 'create', '--name', 'x', '--data', folder]);
  for (const name of ['fieldroster.db', 'master.key']) chmodSync(join(folder, name), 0o644);
  await runCommand(['backup', '--to', join(folder, 'x.backup'), '--data', folder]);
  const words = ['doctor', '--quick', '--data', folder, '--backup-to', folder];
  const { findings } = JSON.parse((await runCommand([...words, '--json'])).stdout) as {
    findings: NamedFinding[];
  };
  const quoted = (name: string) => `'${join(folder, name).replace("'", "'\\''")}'`;
  const advices = findings.map(({ advice }) => advice);
  for (const advice of [
    `run: chmod 600 ${quoted('fieldroster.db')}`,
    `run: chmod 600 ${quoted('master.key')}`,
    `find out with: fieldroster backup verify ${quoted('x.backup')}`,
  ])
    assert.ok(advices.includes(advice), `${advice} in ${JSON.stringify(advices)}`);
  const { message } = findings.find(({ check, level }) => check === 'secrets' && level === 'error') ?? {};
  assert.ok(message?.endsWith(`; run: chmod 600 ${quoted('master.key')}`), String(message));
});

test('a folder whose restore was killed is not called lost, and the advice to restore again does the job', async () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  await runCommand(['app', 'create', '--name', 'x', '--data', at('source')]);
  await runCommand(['backup', '--to', at('x.backup'), '--data', at('source')]);
  for (const withKey of [true, false]) {
    const target = at(`target ${withKey}`);
    mkdirSync(target);
    if (withKey) copyFileSync(at('source/master.key'), join(target, 'master.key'));
    const words = ['restore', '--from', at('x.backup'), '--data', target];
    const draft = await killWithDraft(words, target);
    const { exitCode, stdout } = await runCommand(['doctor', '--quick', '--data', target]);
    assert.equal(exitCode, 2);
    assert.ok(
      stdout.includes(
        `there is no database in ${target} yet, because a restore has not finished (its draft is ${join(target, draft)}): wait for its end, or, if it was killed, run the same restore again, which removes the draft\n`,
      ),
      stdout,
    );
    assert.doesNotMatch(stdout, /keep the data folder as it is|name the right database/);
    const again = await runCommand(words);
    assert.deepEqual([again.exitCode, again.stderr], [0, '']);
    assert.equal(existsSync(join(target, draft)), false);
  }
});

/** Kills a command once it has locked its draft, and returns the draft's name. */
async function killWithDraft(words: readonly string[], folder: string): Promise<string> {
  const child = await startAndStopInDraft(words);
  const ended = collect(child);
  child.kill('SIGKILL');
  await ended;
  assert.equal(existsSync(join(folder, 'fieldroster.db')), false, 'it was killed before its end');
  const draft = readdirSync(folder).find((name) => name.endsWith('.part'));
  assert(draft !== undefined);
  return draft;
}

test('an empty PostgreSQL database is reported once, as one without a directory', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const { stdout } = await doctor('--quick', '--database', await postgres.createDatabase());
  assert.match(
    stdout,
    /^error {4}database {7}there is no directory in the database 127\.0\.0\.1:\d+\/\w+; name /,
  );
  assert.equal(stdout.split('\nerror ').length, 1, stdout);
  assert.match(
    stdout,
    /^warning {2}database {7}because of that, these checks could not be made: locks, clock, /m,
  );
});

/** The disk of the machine that runs the tests may be slow, or nearly full. */
const aboutMachine =
  /^warning {2}(disk space {5}\d{1,4} MiB free|sync latency {3}a sync to disk takes ([2-9]\d\d|\d{4,})\.\d ms).*\n {24}→ .*\n/gm;

function assertWell({ exitCode, stdout, stderr }: CommandResult): void {
  const ofDirectory = stdout.replaceAll(aboutMachine, '');
  assert.doesNotMatch(ofDirectory, /^(warning|error) /m);
  const isWell = ofDirectory === stdout;
  assert.deepEqual([exitCode, stderr], [isWell ? 0 : 1, ''], stdout);
  assert.match(stdout, isWell ? /\nall is well\n$/ : /\nthere are warnings\n$/);
}

test('beside a running server, a healthy directory gets exit code 0 and one line for each check', async () => {
  const server = await startServe(['--data', data]);
  const result = await doctor();
  const { stdout } = result;
  assertWell(result);
  assert.match(stdout, /^ok {7}secrets {8}the master key opens the one sealed value$/m);
  assert.match(stdout, /^note {5}backup {9}no backup is known\n {24}→ make one/m);
  const { exit_code, findings } = JSON.parse((await doctor('--json')).stdout);
  const isWarned = findings.some(({ level }: NamedFinding) => level === 'warning');
  assert.equal(exit_code, isWarned ? 1 : 0);
  assert.equal(findings.length, 17);
  assert.equal(JSON.parse((await doctor('--json', '--quick')).stdout).findings.length, 12);
  const fields = new Set(findings.flatMap((finding: NamedFinding) => Object.keys(finding)));
  assert.deepEqual(fields, new Set(['check', 'level', 'message', 'advice']), 'as docs/doctor.md says');
  assert.equal(await server.stop(), 0);
});

test('the exit code is that of the worst finding: 1 for a warning, 2 for an error', async () => {
  const warned = await doctor('--quick', '--body-limit', '2000000', '--batch-body-limit', '1000000');
  assert.equal(warned.exitCode, 1);
  assert.match(
    warned.stdout,
    /^warning {2}settings {7}--batch-body-limit \(1000000 bytes\).*\n {24}→ raise --batch-body-limit$/m,
  );
  assert.match(warned.stdout, /\nthere are warnings\n$/);
  chmodSync(join(data, 'master.key'), 0o644);
  const failed = await doctor('--quick');
  assert.equal(failed.exitCode, 2);
  assert.match(
    failed.stdout,
    /^error {4}secrets {8}any user of this machine may read the key file .*\n {24}→ correct that, and run the doctor again; restore the key only if it is lost or damaged: see docs\/keys\.md$/m,
  );
  assert.match(failed.stdout, /\nthere are errors\n$/);
});

test('--backup-to alone names a folder to look in; as a setting of the server it needs --backup-every', async () => {
  chmodSync(join(data, 'master.key'), 0o600);
  const named = await doctor('--quick', '--backup-to', data);
  assertWell(named);
  const env = { FIELDROSTER_BACKUP_TO: data };
  const set = await runCommand(['doctor', '--quick', '--data', data], { env });
  assert.equal(set.exitCode, 2);
  assert.match(set.stdout, /^error {4}settings {7}serve does not start: --backup-to needs the time/m);
});

test('an unknown variable is a warning, and an invalid flag a usage error', async () => {
  chmodSync(join(data, 'master.key'), 0o600);
  const env = { FIELDROSTER_DATABSE: 'x' };
  const { exitCode, stdout } = await runCommand(['doctor', '--quick', '--data', data], { env });
  assert.equal(exitCode, 1);
  assert.match(stdout, /^warning {2}settings .*FIELDROSTER_DATABSE/m);
  const { exitCode: usage, stdout: findings, stderr } = await doctor('--port', 'x', '--json');
  assert.deepEqual([usage, findings], [2, '']);
  assert.match(stderr, /--port is "x"/);
});

test('a variable, or a file, with which serve would not start is an error that names the setting', async () => {
  const config = join(data, 'settings.toml');
  writeFileSync(config, 'port = "x"\nhosst = "::1"\n');
  const env = { FIELDROSTER_WORKERS: 'many', FIELDROSTER_DATABASE_URL: 'geheim' };
  const words = ['doctor', '--data', data, '--config', config];
  const { exitCode, stdout, stderr } = await runCommand([...words, '--json'], { env });
  assert.deepEqual([exitCode, stderr], [2, '']);
  const { exit_code, findings } = JSON.parse(stdout) as { exit_code: number; findings: NamedFinding[] };
  assert.equal(exit_code, 2);
  const reasons = [
    /: port is a string, "x"; it must be/,
    /"hosst"/,
    /_DATABASE_URL is not accepted/,
    /_WORKERS is "many"/,
  ];
  assert.deepEqual(
    findings.map(({ check, level, message }) => [
      check,
      level,
      reasons.some((reason) => reason.test(message)),
    ]),
    reasons.map(() => ['settings', 'error', true]),
  );
  assert.ok(!stdout.includes('geheim'));
  const text = await runCommand(words, { env: { FIELDROSTER_CONFIG: '', FIELDROSTER_PORT: 'xx' } });
  assert.equal(text.exitCode, 2);
  assert.match(
    text.stdout,
    /^error {4}settings {7}serve does not start: FIELDROSTER_PORT is "xx".*\n {24}→ correct/m,
  );
  assert.match(text.stdout, /\nthere are errors\n$/);
});

test('a configuration file that cannot be read is an error', async () => {
  const { exitCode, stdout } = await doctor('--config', join(data, 'missing.toml'));
  assert.equal(exitCode, 2);
  assert.match(stdout, /^error {4}settings {7}serve does not start: .*missing\.toml, which does not exist/);
});
