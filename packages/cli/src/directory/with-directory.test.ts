import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { openTestPostgres } from '../../../server/test/test-postgres.ts';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';

const folder = temporaryFolder();
const elsewhere = join(folder, 'elsewhere');
mkdirSync(elsewhere);

test('a command that only reads or revokes creates no database in the wrong folder', async () => {
  const commands = [
    ['app', 'list', '--json'],
    ['app', 'rotate', 'fr0'],
    ['app', 'revoke', 'fr0'],
    ['tenant', 'list'],
    ['role', 'list'],
    ['org', 'list'],
    ['store', 'list'],
  ];
  for (const words of commands) {
    assert.deepEqual(await runCommand(words, { cwd: elsewhere }), {
      exitCode: 1,
      stdout: '',
      stderr: `fieldroster: there is no database in ${join(elsewhere, 'data')}; name its folder with --data or FIELDROSTER_DATA\n`,
    });
  }
  assert.deepEqual(readdirSync(elsewhere), []);
});

const onExisting: readonly (readonly string[])[] = [
  ['app', 'list', '--json'],
  ['app', 'show', 'fr0'],
  ['app', 'rotate', 'fr0'],
  ['app', 'revoke', 'fr0'],
  ['app', 'update', 'fr0', '--suspend'],
  ['tenant', 'list'],
  ['operator', 'list'],
  ['operator', 'reset', 'mara'],
  ['operator', 'disable', 'mara'],
  ['role', 'list'],
  ['org', 'list'],
  ['store', 'list'],
  ['store', 'import', join(folder, 'dry.csv'), '--dry-run'],
  ['calls'],
  ['why', 'a1'],
  ['who', '--user', 'mara'],
  ['claims', 'status'],
  ['claims', 'reset', '--yes'],
  ['key', 'check'],
  ['key', 'rotate'],
  ['key', 'rotate', '--finish'],
  ['user', 'erase', '--user', 'mara', '--yes'],
  ['backup', '--to', join(folder, 'never.backup')],
];
writeFileSync(join(folder, 'dry.csv'), 'code,name\nN-1,One\n');

test('a command on an existing directory makes none in an empty PostgreSQL database', async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const database = await postgres.createDatabase();
  const { host, pathname } = new URL(database);
  const data = join(folder, 'no keys');
  for (const words of onExisting) {
    const { exitCode, stdout, stderr } = await runCommand([...words, '--data', data, '--database', database]);
    assert.deepEqual(
      [exitCode, stdout, stderr],
      [
        1,
        '',
        `fieldroster: there is no directory in the database ${host}${pathname}; name the database that has it, or, to make an empty directory in this one, run: fieldroster migrate\n`,
      ],
      words.join(' '),
    );
  }
  const copied = await runCommand(['copy', '--from', database, '--to', join(folder, 'copied')]);
  assert.deepEqual([copied.exitCode, copied.stdout], [1, '']);
  assert.match(copied.stderr, /^fieldroster: there is no directory in the database /);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query(
    "select relname from pg_class where relnamespace = 'public'::regnamespace",
  );
  await client.end();
  assert.deepEqual(rows, []);
  assert.ok(!existsSync(data) && !existsSync(join(folder, 'copied')));
  const created = await runCommand(['tenant', 'create', 'acme', '--data', data, '--database', database]);
  assert.deepEqual(
    [created.exitCode, created.stderr],
    [
      0,
      `fieldroster: created a new directory in the database ${host}${pathname}; a server serves it with --database or FIELDROSTER_DATABASE_URL\n`,
    ],
  );
  const again = await runCommand(['tenant', 'create', 'bravo', '--data', data, '--database', database]);
  assert.deepEqual([again.exitCode, again.stderr], [0, '']);
});

test("a command waits for PostgreSQL's connection as long as the server's setting says", async (t) => {
  const postgres = await openTestPostgres({ durable: false });
  t.after(() => postgres.stop());
  const { hostname, port, pathname } = new URL(await postgres.createMigratedDatabase());
  const slow = createServer((client) => {
    const start = () => {
      const database = connect(Number(port), hostname);
      for (const socket of [client, database]) socket.on('error', () => {});
      client.pipe(database).pipe(client);
    };
    const timer = setTimeout(start, 1_000);
    client.on('error', () => clearTimeout(timer)).on('close', () => clearTimeout(timer));
  });
  await once(slow.listen(0, '127.0.0.1'), 'listening');
  t.after(() => slow.close());
  const database = `postgres://postgres:postgres@127.0.0.1:${(slow.address() as AddressInfo).port}${pathname}`;
  const words = ['tenant', 'list', '--data', join(folder, 'slow'), '--database', database];
  const env = { FIELDROSTER_MASTER_KEY: 'A'.repeat(43) };
  const hasty = await runCommand(words, { env: { ...env, FIELDROSTER_DATABASE_CONNECT_TIMEOUT: '100' } });
  assert.equal(hasty.exitCode, 1);
  assert.match(
    hasty.stderr,
    /connection timeout; .*raise FIELDROSTER_DATABASE_CONNECT_TIMEOUT if the network to it is slow/,
  );
  const patient = await runCommand(words, { env: { ...env, FIELDROSTER_DATABASE_CONNECT_TIMEOUT: '60000' } });
  assert.deepEqual([patient.exitCode, patient.stderr], [0, '']);
});

test('a command on an existing directory makes none in a file without tables', async () => {
  const data = join(folder, 'no tables');
  mkdirSync(data);
  using connection = new DatabaseSync(join(data, 'fieldroster.db'));
  connection.exec('pragma user_version = 1');
  for (const words of onExisting.filter(([group]) => group !== 'backup')) {
    const { exitCode, stdout, stderr } = await runCommand([...words, '--data', data]);
    assert.deepEqual([exitCode, stdout], [1, ''], words.join(' '));
    assert.match(
      stderr,
      /^fieldroster: there is no directory in the database \S.*no tables\/fieldroster\.db; /,
    );
  }
  assert.deepEqual(connection.prepare('select name from sqlite_schema').all(), []);
});

test('a command that prepares a first start creates the database, and names the folder once', async () => {
  writeFileSync(join(folder, 'roles.csv'), 'id,name\n1,One\n');
  const commands = [
    ['app', 'create', '--name', 'HR sync', '--json'],
    ['tenant', 'create', 'acme'],
    ['role', 'import', 'roles.csv'],
  ];
  for (const [index, words] of commands.entries()) {
    const data = join(folder, `new-${index}`);
    const options = { cwd: folder, env: { FIELDROSTER_DATA: data } };
    const first = await runCommand(words, options);
    assert.deepEqual(
      [first.exitCode, first.stderr],
      [
        0,
        `fieldroster: created a new database in ${data}; a server serves it with --data or FIELDROSTER_DATA\n`,
      ],
    );
    assert.notEqual(first.stdout, '');
    assert.equal((await runCommand(['tenant', 'list'], options)).stderr, '');
  }
});
