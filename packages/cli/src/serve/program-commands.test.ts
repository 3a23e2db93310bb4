import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { type ProgramCommands, readSettings } from '@fieldroster/server';
import { temporaryFolder } from '../../test/run-command.ts';
import { pathsReadOnce, type ServerSources } from './command-environment.ts';
import { programCommands } from './program-commands.ts';

const folder = temporaryFolder();
const never = new AbortController().signal;

// Takes a moment to end when it is told to, like a command that removes what it has begun to write.
const program = join(folder, 'program.mjs');
writeFileSync(
  program,
  `import { writeFileSync } from 'node:fs';
  const file = process.argv.at(-1);
  process.on('SIGTERM', () => setTimeout(() => {
    writeFileSync(file + '.ended', '');
    process.exit(1);
  }, 100));
  setInterval(() => {}, 1_000);
  writeFileSync(file + '.started', '');`,
);

// Writes its arguments and environment, and answers like the doctor.
const teller = join(folder, 'teller.mjs');
const told = join(folder, 'told.json');
writeFileSync(
  teller,
  `import { writeFileSync } from 'node:fs';
  const { argv, env } = process;
  writeFileSync(${JSON.stringify(told)}, JSON.stringify({ words: argv.slice(2), env }));
  console.log('{"findings":[]}');`,
);

/** Runs a command of a server with this command line and these variables, and returns what its process was given. */
async function whatIsGiven(
  { words = [], variables = {} }: { words?: readonly string[]; variables?: NodeJS.ProcessEnv },
  sources: ServerSources,
  command: (commands: ProgramCommands) => Promise<unknown>,
): Promise<{ readonly words: readonly string[]; readonly env: NodeJS.ProcessEnv }> {
  const [argv, env] = [process.argv, process.env];
  process.argv = [argv[0] ?? '', teller, 'serve', ...words];
  process.env = { ...env, ...variables };
  try {
    const settings = readSettings({}, sources.environment, sources.file?.settings);
    await command(programCommands(settings, sources));
  } finally {
    [process.argv, process.env] = [argv, env];
  }
  return JSON.parse(readFileSync(told, 'utf8'));
}

const settings = {
  data: { text: 'given', source: 'data in /dev/fd/63' },
  port: { text: '9000', source: 'port in /dev/fd/63' },
  database: { text: 'postgres://u:secret@127.0.0.1/n', source: 'database in /dev/fd/63' },
  databaseConnectTimeoutMs: { text: '250', source: 'database-connect-timeout in /dev/fd/63' },
};

const noSources: ServerSources = { environment: {}, readOnce: new Set() };

const examine = (commands: ProgramCommands) => commands.examine(never);

for (const [name, words, variables] of [
  ['--config', ['--config', '/dev/fd/63', '--host', 'localhost'], {}],
  ['--config=', ['--config=/dev/fd/63', '--host', 'localhost'], {}],
  ['FIELDROSTER_CONFIG', ['--host', 'localhost'], { FIELDROSTER_CONFIG: '/dev/fd/63' }],
] as const) {
  test(`the doctor of a server gets the settings that came through the pipe of ${name}, and none on its command line`, async () => {
    const environment = { ...variables, FIELDROSTER_PORT: '7000' };
    const sources = {
      environment,
      file: { path: '/dev/fd/63', settings },
      readOnce: pathsReadOnce({}, '/dev/fd/63'),
    };
    const given = await whatIsGiven({ words, variables: environment }, sources, examine);
    assert.deepEqual(given.words, ['doctor', '--host', 'localhost', '--quick', '--json', '--said']);
    assert.equal(given.env.FIELDROSTER_CONFIG, undefined);
    assert.equal(given.env.FIELDROSTER_DATA, 'given');
    assert.equal(given.env.FIELDROSTER_DATABASE_URL, settings.database.text);
    assert.equal(given.env.FIELDROSTER_PORT, '7000', 'the variable outweighs the file');
  });
}

test('the doctor of a server reads a configuration file itself, which may have changed', async () => {
  const path = join(folder, 'config.toml');
  writeFileSync(path, '');
  const sources = { environment: {}, file: { path, settings }, readOnce: pathsReadOnce({}, path) };
  const given = await whatIsGiven({ words: ['--config', path] }, sources, examine);
  assert.deepEqual(given.words.slice(0, 3), ['doctor', '--config', path]);
  assert.equal(given.env.FIELDROSTER_DATA, undefined);
});

test('the doctor of a server gets a secret that came through a pipe', async () => {
  const variables = { FIELDROSTER_DATABASE_URL_FILE: '/dev/fd/12' };
  const environment = { ...variables, FIELDROSTER_DATABASE_URL: settings.database.text };
  const { env } = await whatIsGiven(
    { variables },
    { environment, readOnce: pathsReadOnce(variables, undefined) },
    examine,
  );
  assert.equal(env.FIELDROSTER_DATABASE_URL, settings.database.text);
  assert.equal(env.FIELDROSTER_DATABASE_URL_FILE, undefined);
});

test('the doctor of a server gets what came through named pipes that were removed since', async () => {
  const [config, secret] = [join(folder, 'config.pipe'), join(folder, 'secret.pipe')];
  execFileSync('mkfifo', [config, secret]);
  const variables = { FIELDROSTER_CONFIG: config, FIELDROSTER_DATABASE_URL_FILE: secret };
  const readOnce = pathsReadOnce(variables, config);
  for (const pipe of [config, secret]) rmSync(pipe);
  const environment = { ...variables, FIELDROSTER_DATABASE_URL: 'postgres://u:other@127.0.0.1/n' };
  const sources = { environment, file: { path: config, settings }, readOnce };
  const { env } = await whatIsGiven({ variables }, sources, examine);
  assert.equal(env.FIELDROSTER_CONFIG, undefined);
  assert.equal(env.FIELDROSTER_DATA, 'given');
  assert.equal(env.FIELDROSTER_DATABASE_URL, environment.FIELDROSTER_DATABASE_URL);
  assert.equal(env.FIELDROSTER_DATABASE_URL_FILE, undefined);
});

test('a path that cannot be examined counts as a file', () => {
  const loop = join(folder, 'loop');
  symlinkSync('loop', loop);
  assert.deepEqual(pathsReadOnce({ FIELDROSTER_MASTER_KEY_FILE: '' }, loop), new Set());
});

test('a backup of a server gets its database, and neither the configuration nor a master key', async () => {
  const variables = {
    FIELDROSTER_CONFIG: '/dev/fd/12',
    FIELDROSTER_MASTER_KEY: 'ab'.repeat(32),
    FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: '/dev/fd/13',
  };
  const sources = {
    environment: variables,
    file: { path: '/dev/fd/12', settings },
    readOnce: pathsReadOnce(variables, '/dev/fd/12'),
  };
  const { env } = await whatIsGiven({ variables }, sources, (commands) =>
    commands.makeBackup(join(folder, 'c.backup'), never),
  );
  const names = Object.keys(env).filter((name) => /CONFIG$|MASTER_KEY/.test(name));
  assert.deepEqual(names, []);
  assert.equal(env.FIELDROSTER_DATABASE_URL, settings.database.text);
  assert.equal(env.FIELDROSTER_DATABASE_CONNECT_TIMEOUT, '250');
});

test('a command that is aborted is waited for until its process has ended', async (t) => {
  const [, own = ''] = process.argv;
  process.argv[1] = program;
  t.after(() => {
    process.argv[1] = own;
  });
  const stopping = new AbortController();
  const file = join(folder, 'a.backup');
  const verified = programCommands(readSettings({}, {}), noSources).verifyBackup(file, stopping.signal);
  while (!existsSync(`${file}.started`)) await nextIteration();
  stopping.abort();
  await assert.rejects(verified, { name: 'AbortError' });
  assert.ok(existsSync(`${file}.ended`));
});

test('a command that cannot be started fails with the reason', async (t) => {
  const { execPath } = process;
  process.execPath = join(folder, 'missing');
  t.after(() => {
    process.execPath = execPath;
  });
  const examined = programCommands(readSettings({}, {}), noSources).examine(never);
  await assert.rejects(examined, /^Error: a command could not be started: spawn \S+missing ENOENT$/);
});

test('a command that was aborted before its start is not started', async () => {
  const file = join(folder, 'b.backup');
  const commands = programCommands(readSettings({}, {}), noSources);
  await assert.rejects(commands.verifyBackup(file, AbortSignal.abort()), { name: 'AbortError' });
});
