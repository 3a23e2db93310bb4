import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runNpm } from '../../../scripts/packages/run-npm.ts';
import { repositoryRoot } from '../../fieldroster-command.ts';

const manifest = readFileSync(fileURLToPath(new URL('./package.json', import.meta.url)), 'utf8');

/** The runtimes besides the pinned Node.js, with the words that run a program. */
export const runtimes = [
  { name: 'node', words: [] },
  { name: 'bun', words: ['run'] },
  { name: 'deno', words: ['run', '--allow-net'] },
] as const;

type Runtime = (typeof runtimes)[number]['name'];

/** The path of each command. */
type Installed = { readonly [Name in Runtime]: string };

/** Registers a test that needs the runtimes. Where npm cannot install them, it is skipped with the reason. */
export function testOnRuntimes(name: string, run: (installed: Installed) => Promise<void>): void {
  test(name, async (context) => {
    let installed: Installed;
    try {
      installed = installRuntimes();
    } catch (error) {
      context.skip(`npm cannot install the runtimes: ${String(error)}`);
      return;
    }
    await run(installed);
  });
}

/**
 * Installs the runtimes into `node_modules/.cache`, unless they are there. They have 300 MB together, so they are not
 * among the packages of the workspace.
 *
 * @throws {Error} with npm's message when it cannot install them
 */
function installRuntimes(): Installed {
  const cache = join(repositoryRoot, 'node_modules/.cache');
  const versions = JSON.parse(manifest).dependencies as Record<Runtime, string>;
  const folder = join(cache, `runtimes-${Object.values(versions).join('-')}`);
  if (!existsSync(folder)) install(cache, folder);
  const commandOf = (name: Runtime) => join(folder, 'node_modules/.bin', name);
  return { node: commandOf('node'), bun: commandOf('bun'), deno: commandOf('deno') };
}

function install(cache: string, folder: string): void {
  mkdirSync(cache, { recursive: true });
  // A folder of its own until it is complete, because an interrupted installation must not pass for one.
  const partial = mkdtempSync(join(cache, 'runtimes-partial-'));
  try {
    writeFileSync(join(partial, 'package.json'), manifest);
    runNpm(partial, 'install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error');
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
