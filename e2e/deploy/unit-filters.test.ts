import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fieldrosterCommand } from '../fieldroster-command.ts';
import { type Provisioned, provisionDirectory } from '../provision-directory.ts';
import { signCall } from '../signed-client.ts';
import { deploymentPath, readDeploymentFile } from './deployment-file.ts';

/** Programs that follow the system calls of a process, and that know the sets of calls which a unit names. */
const programs = ['strace', 'systemd-analyze'];
const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);

const limits = { timeout: 120_000 };

if (missing.length > 0) console.error(`NOT TESTED: the filters of the systemd units, without ${missing}`);
else testFilters();

function testFilters(): void {
  let directory: Provisioned;
  let calls: string;

  before(async () => {
    directory = await provisionDirectory(1);
    calls = join(directory.folder, 'calls');
  });
  after(() => directory.remove());

  /**
   * Returns a command line that writes every system call of a program and its children into a file. The recorder is not
   * the parent of the program, which therefore gets the signals that are sent to it. It has the same output.
   */
  const traced = (program: string, args: readonly string[]) =>
    [
      'strace',
      ['--daemonize', '--follow-forks', '--quiet=all', '--output', calls, program, ...args],
    ] as const;

  test(
    'the server makes no system call that its unit denies, even if it listens on all addresses',
    limits,
    async (t) => {
      const flags = ['--host', '0.0.0.0', '--port', '0', '--workers', '2', '--log-format', 'json'];
      const { program, args, options } = fieldrosterCommand(['serve', ...directory.flags, ...flags]);
      const server = spawn(...traced(program, args), { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
      t.after(() => server.kill('SIGKILL'));
      const ended = once(server, 'close');
      let served = false;
      for await (const line of createInterface({ input: server.stdout })) {
        const { msg, url } = JSON.parse(line);
        if (!String(msg).startsWith('Fieldroster listens on')) continue;
        await createUser(directory, Number(new URL(url).port));
        served = true;
        server.kill('SIGTERM');
      }
      assert.deepEqual(await ended, [0, null]);
      assert.ok(served);
      assertAllowed('fieldroster.service', calls);
    },
  );

  test('the backup makes no system call that its unit denies', async () => {
    const { program, args, options } = fieldrosterCommand([]);
    const env = {
      ...options.env,
      FIELDROSTER_COMMAND: [program, ...args].join(' '),
      FIELDROSTER_DATA: directory.data,
      BACKUP_FOLDER: directory.folder,
    };
    const { status, stderr } = spawnSync(...traced(deploymentPath('backup.sh'), []), {
      cwd: options.cwd,
      env,
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '']);
    assertAllowed('fieldroster-backup.service', calls);
  });
}

async function createUser({ credentials }: Provisioned, port: number): Promise<void> {
  const { method, target, headers, body } = signCall(credentials, 'POST', '/user', {
    username: 'traced',
    password: 'nobody guesses this',
  });
  const answer = await fetch(`http://127.0.0.1:${port}${target}`, { method, headers, body: body ?? null });
  assert.equal(JSON.parse(await answer.text()).code, 0);
}

/** Asserts that the unit allows each recorded call, and each family of addresses for which a socket was made. */
function assertAllowed(unitName: string, file: string): void {
  const unit = readDeploymentFile(unitName);
  const trace = readFileSync(file, 'latin1');
  const made = namesIn(trace, /^\d+ +(?:<\.\.\. )?([a-z_0-9]+)(?:\(| resumed)/gm);
  assert.ok(made.includes('execve') && made.length > 20, 'the calls were recorded');
  const allowed = allowedCalls(unit);
  assert.deepEqual(
    made.filter((name) => !allowed.has(name) && !madeByRootOnly.includes(name)),
    [],
  );
  const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(unit) ?? [];
  const used = namesIn(trace, /\bsocket\((AF_[A-Z0-9]+)/g);
  assert.deepEqual(
    used.filter((family) => !families.split(' ').includes(family)),
    [],
  );
}

/** If root runs the command, new files are given to the owner of the folder. The user of the units is not root. */
const madeByRootOnly = process.getuid?.() === 0 ? ['fchown'] : [];

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

/** Returns the system calls that a unit allows: those of the sets it names, without those of the sets it excludes. */
function allowedCalls(unit: string): ReadonlySet<string> {
  const allowed = new Set<string>();
  const filters = [...unit.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)];
  for (const [, excluded, set = ''] of filters)
    for (const name of callsOf(set))
      if (excluded === '~') allowed.delete(name);
      else allowed.add(name);
  return allowed;
}

function callsOf(set: string): readonly string[] {
  const { stdout } = spawnSync('systemd-analyze', ['syscall-filter', '--no-pager', set], {
    encoding: 'utf8',
  });
  const members = stdout.split('\n').filter((line) => /^ +[@a-z]/.test(line));
  return members
    .map((line) => line.trim())
    .flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]));
}
