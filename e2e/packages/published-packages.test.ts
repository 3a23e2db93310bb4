import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FieldrosterClient, isFieldrosterError } from '@fieldroster/client';
import { hash } from 'bcryptjs';
import { build } from 'esbuild';
import { openTestPostgres } from '../../packages/server/test/test-postgres.ts';
import { workbook } from '../../packages/tables/test/workbook.ts';
import { ensurePackages } from '../../scripts/packages/ensure-packages.ts';
import { packPackages } from '../../scripts/packages/pack-packages.ts';
import { type CommandResult, collectResult, repositoryRoot } from '../fieldroster-command.ts';
import { InstalledRegistry } from './installed-registry.ts';
import { testOnRuntimes } from './runtimes/runtimes.ts';

describe('the packages as they are published, installed into an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-published-'));
  const command = join(folder, 'node_modules/.bin/fieldroster');
  let served: ChildProcess | undefined;
  let server: Started;

  before(async () => {
    await ensurePackages(repositoryRoot);
    const archives = packPackages(repositoryRoot, folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const registry = await InstalledRegistry.start(repositoryRoot);
    try {
      const { exitCode, stdout, stderr } = await npm('install', `--registry=${registry.url}`, ...archives);
      assert.equal(exitCode, 0, stdout + stderr);
    } finally {
      await registry.stop();
    }
    served = spawn(command, [...serve, '--data', 'data'], { cwd: folder, env: environment });
    server = await started(served);
  });

  after(async () => {
    if (served?.kill()) await once(served, 'close');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Without the caller's settings, and with the Node.js that runs the tests first in the path. */
  const environment: NodeJS.ProcessEnv = {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => /^(HOME|TMPDIR|LANG|SystemRoot)$/.test(name)),
    ),
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  };

  function npm(...words: readonly string[]): Promise<CommandResult> {
    const script = process.env.npm_execpath;
    const [command, first] = script === undefined ? ['npm', []] : [process.execPath, [script]];
    const flags = ['--no-audit', '--no-fund', '--loglevel=error', `--cache=${join(folder, 'cache')}`];
    const noSettings = `--userconfig=${join(folder, 'no-npmrc')}`;
    return collectResult(
      spawn(command, [...first, ...words, ...flags, noSettings], {
        cwd: folder,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  function run(...words: readonly string[]): Promise<CommandResult> {
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return collectResult(child);
  }

  test('hold no test, no TypeScript source and no path of the machine that built them', () => {
    const libraries = readdirSync(join(folder, 'node_modules/@fieldroster'));
    for (const name of ['fieldroster', ...libraries.map((library) => `@fieldroster/${library}`)]) {
      const packageFolder = join(folder, 'node_modules', name);
      const files = readdirSync(packageFolder, { recursive: true, encoding: 'utf8' });
      assert(files.includes('LICENSE') && files.includes('README.md'), name);
      assert.deepEqual(
        files.filter((file) => /\.test\.|conformance|testing|(?<!\.d)\.ts$|tsbuildinfo/.test(file)),
        [],
      );
      for (const file of files.filter((file) => file.endsWith('.js'))) {
        assert(!readFileSync(join(packageFolder, file), 'utf8').includes(repositoryRoot), file);
      }
    }
  });

  test('the command includes the licenses of all its parts, and the systemd unit runs it', () => {
    const notices = readFileSync(join(folder, 'node_modules/fieldroster/THIRD-PARTY-NOTICES'), 'utf8');
    for (const name of ['fastify', 'kysely', 'pg', 'typebox'])
      assert.match(notices, new RegExp(`^${name} \\d`, 'm'));
    const unit = readFileSync(join(repositoryRoot, 'deploy/fieldroster.service'), 'utf8');
    const [, path] = /^ExecStart=\S+ \/opt\/fieldroster\/(\S+) serve/m.exec(unit) ?? [];
    assert.equal(path, 'packages/cli/dist/main.js');
    assert(existsSync(join(repositoryRoot, path)));
  });

  test('the command has every document that its messages name, where its help says', async () => {
    const { stdout } = await npm('exec', '--no', '--', 'fieldroster', '--help');
    const documents = join(realpathSync(folder), 'node_modules/fieldroster/dist/docs');
    assert.equal(/\nDocuments: (.+)\n$/.exec(stdout)?.[1], documents, stdout);
    assert.deepEqual(
      readdirSync(documents),
      readdirSync(join(repositoryRoot, 'docs')).filter((name) => name.endsWith('.md')),
    );
    const code = join(folder, 'node_modules/fieldroster/dist');
    const named = readdirSync(code)
      .filter((name) => name.endsWith('.js'))
      .flatMap((name) => readFileSync(join(code, name), 'utf8').match(/\bdocs\/[a-z-]+\.md\b/g) ?? []);
    assert(named.includes('docs/keys.md'), named.join(' '));
    for (const name of named) assert(existsSync(join(code, name)), name);
  });

  test('two workers of the installed command serve a PostgreSQL, and it imports a workbook into it', async () => {
    const postgres = await openTestPostgres({ durable: false });
    const database = await postgres.createDatabase();
    const flags = ['--workers', '2', '--database', database, '--data', 'workers'];
    const child = spawn(command, [...serve, ...flags], { cwd: folder, env: environment });
    try {
      const { url, app_id, app_secret } = await started(child);
      writeFileSync(join(folder, 'users.xlsx'), workbook());
      const secrets = { FIELDROSTER_APP_ID: app_id, FIELDROSTER_APP_SECRET: app_secret };
      const imported = spawn(command, ['user', 'import', 'users.xlsx', '--url', url], {
        cwd: folder,
        env: { ...environment, ...secrets },
      });
      assert.match((await collectResult(imported)).stdout, /^imported 4 rows of users\.xlsx/);
      const results = readFileSync(join(folder, 'users.xlsx.result.csv'), 'utf8');
      assert.match(results, /,book\.d,failed,.*phone is a date/);
    } finally {
      if (child.kill()) await once(child, 'close');
      await postgres.stop();
    }
  });

  test('npx fieldroster runs the installed command', async () => {
    const { exitCode, stdout } = await npm('exec', '--no', '--', 'fieldroster', '--version');
    assert.deepEqual([exitCode, stdout.trim()], [0, '0.1.0']);
  });

  test('a program that imports the client creates a user on a server that the command started', async () => {
    const { url, app_id: appId, app_secret: appSecret } = server;
    writeFileSync(
      join(folder, 'create-user.js'),
      `import { FieldrosterClient } from '@fieldroster/client';
       const client = new FieldrosterClient(${JSON.stringify({ url, appId, appSecret })});
       const { id } = await client.createUser({ username: 'from.package', password: 'Gr33n-Tea' });
       const user = await client.queryUser({ user_id: id });
       console.log(typeof id, user.username);`,
    );
    const { exitCode, stdout, stderr } = await run('create-user.js');
    assert.deepEqual([exitCode, stdout, stderr], [0, 'bigint from.package\n', '']);
  });

  testOnRuntimes(
    'the client runs on the oldest Node.js that it names, on Bun and on Deno',
    async (installed) => {
      const { url, app_id: appId, app_secret: appSecret } = server;
      writeFileSync(join(folder, 'every-runtime.js'), everyRuntime({ url, appId, appSecret }));
      for (const { name, command, words } of installed) {
        const child = spawn(command, [...words, 'every-runtime.js', name], {
          cwd: folder,
          env: environment,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const { exitCode, stdout, stderr } = await collectResult(child);
        assert.equal(exitCode, 0, `${name}: ${stderr}`);
        assert.deepEqual(JSON.parse(stdout), {
          id: 'bigint',
          attempts: 1,
          revision: 'bigint',
          unknown: 1101,
          unreachable: 'the server cannot be reached: nothing listens there',
        });
      }
      const { engines } = JSON.parse(
        readFileSync(join(folder, 'node_modules/@fieldroster/client/package.json'), 'utf8'),
      ) as { engines: { node: string } };
      const oldest = installed.find(({ name }) => name === 'node')?.command ?? '';
      const { stdout } = await collectResult(spawn(oldest, ['--version'], { stdio: 'pipe' }));
      assert.ok(stdout.startsWith(engines.node.replace('>=', 'v')), `${engines.node}, run on ${stdout}`);
    },
  );

  test('a CommonJS program in TypeScript finds the types of the client, and requires it', async () => {
    const program = join(folder, 'common-js');
    mkdirSync(program);
    const options = { module: 'nodenext', target: 'es2024', strict: true, types: [], skipLibCheck: true };
    writeFileSync(join(program, 'package.json'), '{"type":"commonjs"}');
    writeFileSync(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    writeFileSync(
      join(program, 'main.ts'),
      `import { FieldrosterClient } from '@fieldroster/client';
       const client = new FieldrosterClient({ url: 'http://127.0.0.1:1', appId: 'a', appSecret: 'b' });
       const offset: number = client.clockOffsetMs;
       const call: (input: { user_id: bigint }) => Promise<{ username: string }> = client.queryUser;
       console.log(typeof call, offset);`,
    );
    const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    const compiled = await run(compiler, '-p', program);
    assert.equal(compiled.exitCode, 0, compiled.stdout);
    assert.match(readFileSync(join(program, 'main.js'), 'utf8'), /require\("@fieldroster\/client"\)/);
    const { exitCode, stdout, stderr } = await run(join(program, 'main.js'));
    assert.deepEqual([exitCode, stdout, stderr], [0, 'function 0\n', '']);
  });

  test('the installed server checks a password against a bcrypt hash, in a thread', async () => {
    const { url, app_id: appId, app_secret: appSecret } = server;
    const client = new FieldrosterClient({ url, appId, appSecret });
    const [username, password] = ['from.elsewhere', 'Gr33n-Tea'];
    const password_hash = await hash(password, 4);
    await client.batchUsers({ users: [{ username, store_codes: [], password_hash }] });
    assert.equal((await client.checkPassword({ username, password })).username, username);
    await assert.rejects(client.checkPassword({ username, password: 'another' }), (error) =>
      isFieldrosterError(error, 1104),
    );
  });

  test('the installed server writes a large batch, which it does in a thread', async () => {
    const { url, app_id: appId, app_secret: appSecret } = server;
    const client = new FieldrosterClient({ url, appId, appSecret });
    const users = Array.from({ length: 200 }, (_, index) => ({
      username: `of.a.large.batch.${index}`,
      department: 'x'.repeat(100),
      store_codes: [],
    }));
    assert.equal((await client.batchUsers({ users })).created, users.length);
  });

  test('the installed server serves the page at /docs with its script and the signers, and the document', async () => {
    const { url } = server;
    for (const path of ['docs', 'docs/style.css', 'docs/main.js', 'docs/signers/go']) {
      assert.equal((await fetch(`${url}/${path}`)).status, 200, path);
    }
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as { openapi: string };
    assert.match(document.openapi, /^3\.1\./);
  });

  test('every export exists in JavaScript, and its types need no other package', async () => {
    writeFileSync(
      join(folder, 'program.ts'),
      `import { FieldrosterClient, isFieldrosterError, type CreateUserData } from '@fieldroster/client';
       import { type ErrorCode, errorCodes, operations } from '@fieldroster/contract';
       import { signRequest } from '@fieldroster/signing';
       const { headers } = signRequest({ appId: 'a', appSecret: 's', method: 'GET', target: '/user' });
       export const authorization: string = headers.Authorization;
       export const code: ErrorCode = 1101;
       export const path: '/user' = operations.createUser.path;
       export const known = isFieldrosterError(new Error('none'), 1101) || errorCodes[code].name;
       export const create = (client: FieldrosterClient): Promise<CreateUserData> =>
         client.createUser({ username: 'a', password: 'b' });
       `,
    );
    writeFileSync(
      join(folder, 'mistake.ts'),
      `import type { FieldrosterClient } from '@fieldroster/client';
       export const create = (client: FieldrosterClient) => client.createUser({ username: 1, password: 'b' });`,
    );
    const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    const flags = [
      '--singleThreaded',
      '--noEmit',
      '--strict',
      // Our types are checked, the compiler's own library is not.
      '--skipDefaultLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
    ];
    const { stdout } = await run(compiler, ...flags, '--lib', 'es2024,dom', 'program.ts', 'mistake.ts');
    assert.match(
      stdout,
      /^mistake\.ts\(2,\d+\): error TS2322: Type 'number' is not assignable to type 'string'\.$/m,
    );
    assert.equal(stdout.match(/error TS/g)?.length, 1, stdout);
  });

  /** Returns the files of our packages that contribute to a bundle of this program. */
  async function bundledFiles(program: string, platform: 'browser' | 'node'): Promise<string[]> {
    const { metafile } = await build({
      ...{ stdin: { contents: program, resolveDir: folder }, absWorkingDir: folder },
      ...{ bundle: true, format: 'esm', minify: true, write: false, metafile: true, platform },
    });
    const [output] = Object.values(metafile.outputs);
    return Object.entries(output?.inputs ?? {})
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path.replace(/^node_modules\//, ''))
      .filter((path) => path !== '<stdin>')
      .sort();
  }

  test('a bundle with one function of the signing library contains only that function', async () => {
    assert.deepEqual(
      await bundledFiles(
        "import { stringToSign } from '@fieldroster/signing'; globalThis.f = stringToSign;",
        'browser',
      ),
      ['@fieldroster/signing/dist/string-to-sign.js'],
    );
    const digest = "import { contentMd5 } from '@fieldroster/signing'; globalThis.f = contentMd5;";
    const files = await bundledFiles(digest, 'browser');
    assert.deepEqual(
      files.filter((path) => path.startsWith('@fieldroster/')),
      ['@fieldroster/signing/dist/content-md5.js', '@fieldroster/signing/dist/crypto/portable.js'],
    );
    assert(files.includes('@noble/hashes/legacy.js'), 'MD5 is there');
    assert(!files.some((path) => /hashes\/(hmac|sha2)/.test(path)), 'and HMAC-SHA256 is not');
  });

  test('a browser bundle with the client contains nothing from Node.js', async () => {
    const files = await bundledFiles("export * from '@fieldroster/client'", 'browser');
    assert(files.includes('@fieldroster/signing/dist/crypto/portable.js'), files.join(' '));
    assert(!files.includes('@fieldroster/signing/dist/crypto/node.js'), files.join(' '));
  });
});

interface Started {
  readonly url: string;
  readonly app_id: string;
  readonly app_secret: string;
}

const serve = ['serve', '--sample', '--json', '--port', '0', '--log-level', 'silent'];

/** Waits for the line of JSON that a server prints once it listens. */
function started(child: ChildProcess): Promise<Started> {
  const { promise, resolve, reject } = Promise.withResolvers<Started>();
  let printed = '';
  let complaint = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.includes('\n')) resolve(JSON.parse(printed));
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  child.once('close', () => reject(new Error(`the server ended before it listened: ${complaint}`)));
  return promise;
}

/** A program for every runtime, which prints what it saw as JSON. Its argument makes its username unique. */
function everyRuntime(options: object): string {
  return `import { FieldrosterClient } from '@fieldroster/client';
    const options = ${JSON.stringify(options)};
    const client = new FieldrosterClient(options);
    const username = 'from.' + (globalThis.Deno?.args[0] ?? process.argv[2]);
    const { id } = await client.createUser({ username, password: 'Gr33n-Tea' });
    const { attempts, revision } = await client.withDetails.queryUser({ user_id: id });
    const unknown = await client.queryUser({ username: 'nobody' }).catch(({ code }) => code);
    const astray = new FieldrosterClient({ ...options, url: 'http://127.0.0.1:11111' });
    const unreachable = await astray.queryUser({ username }).catch(({ message }) => message);
    console.log(JSON.stringify({ id: typeof id, attempts, revision: typeof revision, unknown, unreachable }));`;
}
