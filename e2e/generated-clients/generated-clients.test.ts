import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type CommandResult, collectResult, repositoryRoot } from '../fieldroster-command.ts';
import { testWithPackages } from '../install-apart.ts';
import { provisionDirectory } from '../provision-directory.ts';
import { ServerProcess } from '../server-process.ts';
import type { Credentials } from '../signed-client.ts';
import { generators } from './programs.ts';

const packages = { cacheName: 'generators', folder: import.meta.dirname };

testWithPackages('generated clients compile and make a signed call', packages, async (installed) => {
  const directory = await provisionDirectory(1);
  const folder = mkdtempSync(join(installed, 'run-'));
  let server: ServerProcess | undefined;
  try {
    server = await ServerProcess.start(directory);
    for (const { name, command, program } of generators) {
      const project = join(folder, name);
      writeProject(project, program, server.url, directory.credentials);
      await succeed(project, ...commandOf(installed, command));
    }
    await compile(installed, folder);
    for (const { name } of generators) {
      const { stdout } = await succeed(folder, process.execPath, await bundled(join(folder, name)));
      assert.deepEqual(JSON.parse(stdout), [0, `by.${name}`]);
    }
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
    await directory.remove();
  }
});

function writeProject(folder: string, program: string, url: string, credentials: Credentials): void {
  mkdirSync(folder);
  copyFileSync(join(repositoryRoot, 'docs/openapi.json'), join(folder, 'openapi.json'));
  writeFileSync(join(folder, 'main.ts'), program);
  const signingFetch = join(repositoryRoot, 'e2e/generated-clients/signing-fetch.ts');
  writeFileSync(
    join(folder, 'connection.ts'),
    `import { signingFetch } from ${JSON.stringify(signingFetch)};
     export const url = ${JSON.stringify(url)};
     export const signed = signingFetch(${JSON.stringify(credentials)});`,
  );
}

/** Compiles all programs at once, because the types of their environment take longest. */
async function compile(installed: string, folder: string): Promise<void> {
  const compilerOptions = {
    ...{ target: 'es2024', module: 'esnext', moduleResolution: 'bundler', strict: true, noEmit: true },
    ...{ lib: ['es2024', 'dom', 'dom.iterable'], allowImportingTsExtensions: true, skipLibCheck: true },
    ...{ types: ['node'], typeRoots: [join(repositoryRoot, 'node_modules/@types')] },
    customConditions: ['fieldroster-source'],
  };
  const files = generators.map(({ name }) => `${name}/main.ts`);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await succeed(folder, process.execPath, join(installed, 'node_modules/typescript/bin/tsc'), '-p', '.');
}

function commandOf(installed: string, [name, ...arguments_]: readonly string[]): readonly string[] {
  return [join(installed, 'node_modules/.bin', name ?? ''), ...arguments_];
}

/** Bundles the program, because Node.js does not run TypeScript below `node_modules`. */
async function bundled(folder: string): Promise<string> {
  const outfile = join(folder, 'main.mjs');
  await build({
    ...{ entryPoints: [join(folder, 'main.ts')], outfile, bundle: true, format: 'esm', platform: 'node' },
    ...{ conditions: ['fieldroster-source'], logLevel: 'silent' },
  });
  return outfile;
}

async function succeed(cwd: string, ...[command = '', ...words]: readonly string[]): Promise<CommandResult> {
  const result = await collectResult(spawn(command, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'] }));
  assert.equal(result.exitCode, 0, `${command} ${words.join(' ')}:\n${result.stdout}${result.stderr}`);
  return result;
}
