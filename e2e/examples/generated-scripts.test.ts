import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type ScriptLanguage,
  type ScriptRequest,
  scriptLanguages,
  signerFiles,
} from '@fieldroster/contract/signing-scripts';
import { quickJava } from '../clients/run-program.ts';
import { collectResult, repositoryRoot } from '../fieldroster-command.ts';
import { type LiveDirectory, startLiveDirectory } from './live-directory.ts';
import { toolchainIsHere, toolchains } from './toolchains.ts';

/** Characters that a language might read as its own: quotes, escapes, interpolations, comments, ends of lines. */
const awkwardText = `O'Neil "李 娜" \\n \\u0041 $(id) \${HOME} #{1} %41+é 😀 \`x\` */ // <?php`;

/** The line that Java prints about `JDK_JAVA_OPTIONS`. */
const javaNote = /^NOTE: Picked up JDK_JAVA_OPTIONS: .*\n/;

/** Runs the scripts as the page says: saved under their name, with the command that it shows. */
describe('the scripts that the page at /docs writes', () => {
  let live: LiveDirectory;
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-scripts-'));

  before(async () => {
    live = await startLiveDirectory('standard');
  });

  after(async () => {
    await live.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function requestOf(method: string, target: string, body?: string): ScriptRequest {
    const { origin, pathname } = new URL(live.url);
    return { method, origin, target: pathname + target, body };
  }

  async function run(language: ScriptLanguage, request: ScriptRequest, changes: NodeJS.ProcessEnv = {}) {
    const signer = readFileSync(join(repositoryRoot, 'examples', signerFiles[language.id]), 'utf8');
    writeFileSync(join(folder, language.fileName), language.write(request, signer));
    // LC_ALL=C: no script may depend on the charset of the machine.
    const environment = {
      LC_ALL: 'C',
      FIELDROSTER_APP_ID: live.appId,
      FIELDROSTER_APP_SECRET: live.appSecret,
      JDK_JAVA_OPTIONS: quickJava.join(' '),
    };
    const child = spawn('bash', ['-c', language.command], {
      cwd: folder,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...environment, ...changes },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { stderr, ...result } = await collectResult(child);
    return { ...result, stderr: stderr.replace(javaNote, '') };
  }

  async function answer(language: ScriptLanguage, request: ScriptRequest) {
    const { stdout, stderr, exitCode } = await run(language, request);
    assert.deepEqual([exitCode, stderr], [0, ''], stdout);
    return JSON.parse(stdout) as { code: number; message: string; data?: Record<string, unknown> };
  }

  for (const language of scriptLanguages) {
    if (!toolchainIsHere(toolchains[language.id])) continue;

    test(`${language.name}: a POST with any text is applied as entered, and then signed again`, async () => {
      const username = `script.${language.id} 李`;
      const body = JSON.stringify({ username, password: 'a', real_name: awkwardText }, null, 2);
      const request = requestOf('POST', '/user', `${body}\n`);
      const created = await answer(language, request);
      assert.deepEqual([created.code, created.data?.real_name], [0, awkwardText], created.message);
      assert.equal((await answer(language, request)).code, 1102, 'signed again: not 1015, and not expired');
    });

    test(`${language.name}: a GET with non-ASCII parameters finds the user`, async () => {
      const username = encodeURIComponent(`script.${language.id} 李`);
      const found = await answer(
        language,
        requestOf('GET', `/user?z=%27%2B&username=${username}&a=%E5%BC%A0`),
      );
      assert.deepEqual([found.code, found.data?.real_name], [0, awkwardText], found.message);
    });

    test(`${language.name}: without the secret, it says which variable to set`, async () => {
      const request = requestOf('GET', '/users');
      const { stdout, stderr, exitCode } = await run(language, request, { FIELDROSTER_APP_SECRET: '' });
      assert.notEqual(exitCode, 0);
      assert.equal(stdout, '');
      assert.match(stderr, /FIELDROSTER_APP_SECRET/);
    });
  }

  const ruby = scriptLanguages.find(({ id }) => id === 'ruby');
  if (ruby !== undefined && toolchainIsHere(toolchains.ruby)) {
    test('Ruby: a removal whose answer is lost is not sent again behind the back of the caller', async () => {
      let sent = 0;
      const losing = createServer(({ socket }) => {
        sent += 1;
        socket.destroy();
      }).listen(0, '127.0.0.1');
      await once(losing, 'listening');
      const { port } = losing.address() as AddressInfo;
      const origin = `http://127.0.0.1:${port}`;
      const result = await run(ruby, { ...requestOf('DELETE', '/user?user_id=1'), origin });
      losing.close();
      assert.deepEqual([sent, result.exitCode, result.stdout], [1, 1, '']);
      assert.match(result.stderr, /^http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*\n$/);
    });
  }

  const java = scriptLanguages.find(({ id }) => id === 'java');
  if (java !== undefined && toolchainIsHere(toolchains.java)) {
    test('Java: the script compiles for the version that the page names', async () => {
      const { stdout, exitCode } = await run(
        {
          ...java,
          command: `javac -encoding UTF-8 --release ${java.needs.replace('Java ', '')} ${java.fileName} 2>&1`,
        },
        requestOf('POST', '/user', '{}'),
      );
      assert.equal(exitCode, 0, stdout);
    });
  }

  test('every signer of the examples has a language on the page', () => {
    const ids = scriptLanguages.map(({ id }) => id);
    assert.deepEqual(ids.toSorted(), Object.keys(signerFiles).toSorted());
  });
});
