import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { quickJava } from '../../clients/run-program.ts';
import { leaveUntested } from '../../examples/toolchains.ts';
import { type CommandResult, collectResult, repositoryRoot } from '../../fieldroster-command.ts';
import { testWithPackages } from '../../install-apart.ts';
import { provisionDirectory } from '../../provision-directory.ts';
import { ServerProcess } from '../../server-process.ts';
import { asOpenApi30 } from './as-openapi-3-0.ts';

/**
 * The packages that the generated code imports. Debian's packages belong to its own Python, not always the first one.
 */
const imports = 'import urllib3, dateutil, six, certifi';
const python = ['python3', '/usr/bin/python3'].find((program) => succeeds(program, '-c', imports));
const packages = { cacheName: 'python-generator', folder: import.meta.dirname };

if (python === undefined || !succeeds('java', '-version')) {
  test('a generated Python client makes signed calls', (context) =>
    leaveUntested(
      context,
      'a generated Python client, because it needs Java and the modules of the client; on Debian: apt-get install ' +
        'default-jre-headless python3-urllib3 python3-dateutil python3-six python3-certifi',
    ));
} else {
  testWithPackages('a generated Python client makes signed calls', packages, async (installed) => {
    const directory = await provisionDirectory(1);
    const folder = mkdtempSync(join(installed, 'run-'));
    let server: ServerProcess | undefined;
    try {
      server = await ServerProcess.start(directory);
      await generate(installed, folder);
      const { appId, appSecret } = directory.credentials;
      const { stdout } = await succeed(folder, [python, 'call.py'], {
        PYTHONPATH: [join(folder, 'client'), join(repositoryRoot, 'examples/python')].join(':'),
        PYTHONDONTWRITEBYTECODE: '1',
        FIELDROSTER_URL: server.url,
        FIELDROSTER_APP_ID: appId,
        FIELDROSTER_APP_SECRET: appSecret,
      });
      assert.deepEqual(JSON.parse(stdout), [0, 'User', true, 'by.python 李']);
    } finally {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
      await directory.remove();
    }
  });
}

/**
 * The npm release that contains the generator's Java program reads only OpenAPI 3.0, so the document is converted
 * first.
 */
async function generate(installed: string, folder: string): Promise<void> {
  const modules = join(installed, 'node_modules');
  const [written, converted] = [join(repositoryRoot, 'docs/openapi.json'), join(folder, 'openapi.json')];
  const convert = join(modules, '.bin/openapi-down-convert');
  await succeed(folder, [convert, '--input', written, '--output', converted]);
  writeFileSync(converted, JSON.stringify(asOpenApi30(JSON.parse(readFileSync(converted, 'utf8')))));
  const generator = join(modules, '@openapitools/openapi-generator-cli/bin/openapi-generator.jar');
  const wanted = ['-i', converted, '-g', 'python', '-o', 'client', '-p', 'packageName=fieldroster'];
  await succeed(folder, ['java', ...quickJava, '-jar', generator, 'generate', ...wanted]);
  copyFileSync(join(import.meta.dirname, 'call.py'), join(folder, 'call.py'));
}

async function succeed(
  cwd: string,
  [command = '', ...words]: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const env = { ...process.env, ...environment };
  const result = await collectResult(spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
  const said = `${result.stdout}${result.stderr}`.slice(-4000);
  assert.equal(result.exitCode, 0, `${command} ${words.join(' ')}:\n${said}`);
  return result;
}

function succeeds(command: string, ...words: readonly string[]): boolean {
  return spawnSync(command, words, { stdio: 'ignore' }).status === 0;
}
