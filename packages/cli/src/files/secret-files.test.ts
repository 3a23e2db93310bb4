import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { runCommand, temporaryFolder } from '../../test/run-command.ts';
import { startServe } from '../../test/serve-process.ts';
import { sendSigned } from '../call/send-signed.ts';
import { UsageError } from '../run-program.ts';
import { fileVariable, secretVariables, withSecretFiles } from './secret-files.ts';

const folder = temporaryFolder();
const masterKey = Buffer.alloc(32, 7).toString('base64');

function secretFile(name: string, content: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe('a secret in a file', () => {
  test('is its content without a byte order mark and the final newline, for every variable that holds a secret', () => {
    for (const variable of secretVariables) {
      for (const [content, secret] of [
        ['s3cret', 's3cret'],
        ['s3cret\n', 's3cret'],
        ['s3cret\r\n', 's3cret'],
        ['\uFEFFs3cret\n', 's3cret'],
        [' two\nlines \n\n', ' two\nlines \n'],
      ] as const) {
        const path = secretFile('content', content);
        const given = { [fileVariable(variable)]: path, PATH: '/bin' };
        const environment = withSecretFiles(given, secretVariables);
        assert.equal(environment[variable], secret);
        assert.equal(environment.PATH, '/bin');
        assert.equal(variable in given, false, 'the given environment keeps no secret');
      }
    }
  });

  test('is left out if it is the previous key and the file is missing or blank, as before and after a rotation', () => {
    for (const content of ['', '\n', '\r\n', '\n\n\n', '   ', ' \n ', '\uFEFF', '\uFEFF\n']) {
      const given = { FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: secretFile('previous', content) };
      assert.deepEqual(withSecretFiles(given, secretVariables), given);
    }
    const missing = { FIELDROSTER_MASTER_KEY_PREVIOUS_FILE: '/nowhere/previous' };
    assert.deepEqual(withSecretFiles(missing, secretVariables), missing);
  });

  test('is read only for the variables that the command uses, and not for an empty name', () => {
    const given = { FIELDROSTER_MASTER_KEY_FILE: '/nowhere', FIELDROSTER_APP_SECRET_FILE: '' };
    assert.deepEqual(withSecretFiles(given, ['FIELDROSTER_APP_SECRET']), given);
  });

  test('is refused when the variable is set as well', () => {
    const given = {
      FIELDROSTER_APP_SECRET: 'hidden',
      FIELDROSTER_APP_SECRET_FILE: secretFile('both', 'hidden'),
    };
    assertRefused(
      given,
      /FIELDROSTER_APP_SECRET and FIELDROSTER_APP_SECRET_FILE are both set; unset one of them/,
    );
    const empty = { ...given, FIELDROSTER_APP_SECRET: '' };
    assert.equal(withSecretFiles(empty, secretVariables).FIELDROSTER_APP_SECRET, 'hidden');
  });

  test('is refused in a pipe if servers read it again, instead of waited for', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', ['-m', '600', pipe]);
    for (const variable of ['FIELDROSTER_MASTER_KEY', 'FIELDROSTER_MASTER_KEY_PREVIOUS'] as const)
      assertRefused(
        { [fileVariable(variable)]: pipe },
        /_FILE names \S+pipe, which is a pipe; servers read the key more than once, so put it into a file$/,
      );
  });

  test('is refused when its file is missing, a folder or empty; the message names variable and path', () => {
    mkdirSync(join(folder, 'a-folder'));
    const refused: readonly (readonly [string, RegExp])[] = [
      [join(folder, 'missing'), /missing, which does not exist; put it there or correct the path/],
      [join(secretFile('plain', 'hidden'), 'below'), /below, which does not exist/],
      [join(folder, 'a-folder'), /a-folder, which is a folder; name the file in it/],
      [secretFile('empty', ''), /empty, which is empty; write the secret into it/],
      [secretFile('newline', ' \n'), /newline, which is empty/],
      [secretFile('mark', '\uFEFF\n'), /mark, which is empty/],
    ];
    for (const [path, message] of refused) {
      assertRefused({ FIELDROSTER_APP_SECRET_FILE: path }, message);
      assertRefused({ FIELDROSTER_APP_SECRET_FILE: path }, /^FIELDROSTER_APP_SECRET_FILE names \//);
    }
  });
});

describe('commands', () => {
  const data = join(folder, 'data');
  const key = secretFile('master-key', `${masterKey}\n`);

  test('serve takes its master key from a file, and stops when it cannot', async () => {
    const env = { FIELDROSTER_MASTER_KEY_FILE: key };
    const server = await startServe(['--data', data], { env });
    assert.ok(server.output().endsWith(`"Fieldroster listens on ${server.url}"}\n`), server.output());
    assert.equal(await server.stop(), 0);
    const listed = await runCommand(['app', 'list', '--data', data], {
      env: { FIELDROSTER_MASTER_KEY: masterKey },
    });
    assert.equal(listed.exitCode, 0, 'it is the key that the database was written with');
    const without = await runCommand(['app', 'list', '--data', data]);
    assert.match(without.stderr, /master key .* is missing/);
    const wrong = secretFile('wrong-key', 'hidden');
    const failed = await runCommand(['serve', '--data', data, '--port', '0'], {
      env: { FIELDROSTER_MASTER_KEY_FILE: wrong },
    });
    assert.equal(failed.exitCode, 1);
    assert.match(failed.stderr, /the key file .*wrong-key must contain 32 bytes/);
    assert.doesNotMatch(failed.stderr, /hidden/);
  });

  test('serve with workers reads the file in each of them', async () => {
    const env = { FIELDROSTER_MASTER_KEY_FILE: key };
    const data = join(folder, 'workers');
    const created = await runCommand(['app', 'create', '--name', 'mine', '--json', '--data', data], { env });
    const { app_id: appId, app_secret: appSecret } = JSON.parse(created.stdout);
    const server = await startServe(['--data', data, '--workers', '2'], { env });
    const target = { url: server.url, appId, appSecret };
    // Each call has a connection of its own, and the workers take connections in turn.
    for (let count = 0; count < 8; count++) {
      const { text } = await sendSigned(target, { method: 'GET', path: '/user?username=nobody' });
      assert.equal(JSON.parse(text).code, 1101);
    }
    assert.equal(await server.stop(), 0);
    assert.ok(!existsSync(join(data, 'master.key')), 'no key was made');
  });

  test('a database URL from a file is named by its variable when it is not accepted', async () => {
    const env = { FIELDROSTER_DATABASE_URL_FILE: secretFile('url', 'mysql://u:hidden@db/x\n') };
    for (const words of [['serve'], ['app', 'list'], ['migrate']]) {
      const { exitCode, stderr } = await runCommand(words, { env });
      assert.equal(exitCode, 2);
      assert.match(
        stderr,
        /FIELDROSTER_DATABASE_URL_FILE is not accepted; it must be a URL such as postgres:/,
      );
      assert.doesNotMatch(stderr, /hidden/);
    }
  });

  test('app create and call take an APPSECRET from a file', async () => {
    const env = {
      FIELDROSTER_MASTER_KEY_FILE: key,
      FIELDROSTER_APP_ID: 'mine',
      FIELDROSTER_APP_SECRET_FILE: secretFile('app-secret', 'a secret of sixteen or more\n'),
    };
    const created = await runCommand(
      ['app', 'create', '--name', 'mine', '--app-id', 'mine', '--data', data],
      { env },
    );
    assert.match(created.stdout, /^APPSECRET {2}a secret of sixteen or more$/m);
    const server = await startServe(['--data', data], { env });
    const answer = await runCommand(['call', 'GET', '/user?user_id=1', '--url', server.url], { env });
    assert.equal(JSON.parse(answer.stdout).code, 1101);
    await server.stop();
  });

  test('app create names the source of an APPSECRET that it does not accept', async () => {
    const words = ['app', 'create', '--name', 'mine', '--app-id', 'mine', '--data', data];
    const refusal = async (flags: readonly string[], env: Record<string, string>) => {
      const { exitCode, stderr } = await runCommand([...words, ...flags], { env });
      assert.equal(exitCode, 2);
      return stderr;
    };
    const problem = 'is not accepted: an APPSECRET has 1 to 512 characters and no control character\n';
    const path = secretFile('two-newlines', 'a secret of sixteen or more\n\n');
    assert.equal(
      await refusal([], { FIELDROSTER_APP_SECRET_FILE: path }),
      `fieldroster: the content of ${path}, which FIELDROSTER_APP_SECRET_FILE names, ${problem}`,
    );
    const secret = 'a secret of\ntwo lines';
    assert.equal(
      await refusal([], { FIELDROSTER_APP_SECRET: secret }),
      `fieldroster: FIELDROSTER_APP_SECRET ${problem}`,
    );
    assert.equal(await refusal(['--app-secret', secret], {}), `fieldroster: --app-secret ${problem}`);
  });

  test('warn if anyone on the machine may read the file', async () => {
    const env = { FIELDROSTER_MASTER_KEY_FILE: secretFile('open-key', masterKey, 0o644) };
    const { exitCode, stderr } = await runCommand(['app', 'list', '--data', data], { env });
    assert.equal(exitCode, 0);
    assert.match(
      stderr,
      /^fieldroster: .*open-key \(FIELDROSTER_MASTER_KEY_FILE\) holds a secret that any user/,
    );
    const closed = { FIELDROSTER_MASTER_KEY_FILE: secretFile('group-key', masterKey, 0o640) };
    assert.equal((await runCommand(['app', 'list', '--data', data], { env: closed })).stderr, '');
  });
});

function assertRefused(environment: NodeJS.ProcessEnv, message: RegExp): void {
  assert.throws(
    () => withSecretFiles(environment, secretVariables),
    (error: unknown) =>
      error instanceof UsageError && message.test(error.message) && !error.message.includes('hidden'),
  );
}
