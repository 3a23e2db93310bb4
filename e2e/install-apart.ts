import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runNpm } from '../scripts/packages/run-npm.ts';
import { leaveUntested } from './examples/toolchains.ts';
import { repositoryRoot } from './fieldroster-command.ts';

/**
 * Installs the packages that a folder's `package.json` names into `node_modules/.cache`, unless they are there. They
 * are large, and only one test needs them, so they are not among the packages of the workspace.
 *
 * @param name the cache folder's name
 * @returns the folder that contains their `node_modules`
 * @throws {Error} with npm's message when it cannot install them
 */
function installApart(name: string, folder: string): string {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const cache = join(repositoryRoot, 'node_modules/.cache');
  const versions = Object.values(JSON.parse(manifest).dependencies as Record<string, string>);
  const installed = join(cache, `${name}-${versions.join('-')}`);
  if (!existsSync(installed)) install(cache, installed, manifest);
  return installed;
}

function install(cache: string, folder: string, manifest: string): void {
  mkdirSync(cache, { recursive: true });
  // Installs into a temporary folder first, because an interrupted installation must not pass for a complete one.
  const partial = mkdtempSync(join(cache, 'partial-'));
  try {
    writeFileSync(join(partial, 'package.json'), manifest);
    runNpm(partial, 'install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error');
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/**
 * Registers a test that needs packages of its own. Where npm cannot install them, it says so and tests nothing; with
 * `FIELDROSTER_REQUIRE_TOOLCHAINS=all` it fails.
 *
 * @param folder has the `package.json` that names them
 * @param run takes the folder that contains their `node_modules`
 */
export function testWithPackages(
  name: string,
  { cacheName, folder }: { readonly cacheName: string; readonly folder: string },
  run: (installed: string) => Promise<void>,
): void {
  test(name, async (context) => {
    let installed: string;
    try {
      installed = installApart(cacheName, folder);
    } catch (error) {
      leaveUntested(context, `${name}, because npm cannot install its packages: ${String(error)}`);
      return;
    }
    await run(installed);
  });
}
