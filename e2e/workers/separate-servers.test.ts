import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFieldroster, runFieldroster } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import { listWorkers } from './worker-pids.ts';

const warning = /"msg":"another serve has the same database, and each counts rate limits by itself/;

/** Returns what the doctor says of settings that contradict each other. */
async function examineSettings(directory: Provisioned, ...flags: readonly string[]) {
  const { stdout } = await runFieldroster('doctor', '--quick', '--json', ...directory.flags, ...flags);
  const { findings } = JSON.parse(stdout) as {
    findings: { level: string; check: string; message: string }[];
  };
  return findings
    .filter(({ check }) => check === 'settings')
    .map(({ level, message }) => `${level}: ${message}`)
    .join('\n');
}

/** Starts a server with workers, then another beside it, and returns both. */
async function startTwo(directory: Provisioned, ...flags: readonly string[]) {
  const first = await ServerProcess.start(directory, '--workers', '2', ...flags);
  await first.until(() => first.timesListening === 2);
  const second = await ServerProcess.start(directory, '--workers', '2', ...flags);
  await second.until(() => second.timesListening === 2);
  return { first, second };
}

for (const { name, flags, update } of [
  { name: 'the server limits rates', flags: ['--rate-limit', '50'], update: [] },
  { name: 'one application has a limit', flags: [], update: ['--rate-limit', '50'] },
])
  test(`if ${name}, the second serve on one SQLite file warns that both count by themselves, and so does the doctor`, async () => {
    const directory = await provisionDirectory(1);
    if (update.length > 0)
      await expectFieldroster('app', 'update', directory.credentials.appId, ...update, ...directory.flags);
    const { first, second } = await startTwo(directory, ...flags);
    const found = await examineSettings(directory, ...flags);
    const servers = /^warning: 2 servers use this database \(process (\d+) on \S+, process (\d+) on \S+\), /;
    const [, ...pids] = servers.exec(found) ?? [];
    assert.equal(pids.length, 2, found);
    for (const { pid } of [first, second])
      assert.ok(
        listWorkers(pid).some((worker) => pids.includes(String(worker))),
        `${found} names a worker of ${pid}`,
      );
    assert.doesNotMatch(first.output, warning, 'workers of one serve count together');
    const lines = second.output.split('\n').filter((line) => warning.test(line));
    assert.equal(lines.length, 1, second.output);
    const { pid } = JSON.parse(lines[0] ?? '') as { pid: number };
    assert.ok(listWorkers(first.pid).includes(pid), `${pid} is a worker of the first`);
    await first.stop();
    assert.match(await examineSettings(directory, ...flags), /^ok: /, 'workers of one serve count together');
    await second.stop();
    const third = await ServerProcess.start(directory, ...flags);
    await third.stop();
    assert.doesNotMatch(third.output, warning, 'those that have stopped do not count');
    await directory.remove();
  });

test('without a limit, nothing is said of a second serve', async () => {
  const directory = await provisionDirectory(1);
  const { first, second } = await startTwo(directory);
  assert.doesNotMatch(first.output + second.output, warning);
  assert.match(await examineSettings(directory), /^ok: /);
  await Promise.all([first.stop(), second.stop()]);
  await directory.remove();
});
