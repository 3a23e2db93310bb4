import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureConsole } from '../ensure-console.ts';
import { bundleCommand } from './bundle-command.ts';
import { bundlePage } from './bundle-page.ts';
import { consoleInputs, copyServerFiles } from './copy-server-files.ts';
import { compiledPackages } from './publishable-packages.ts';

/**
 * Builds `dist` of every package that is published or bundled into one: compiled JavaScript and types, plus files
 * that are served or read unchanged. The command, which nobody imports, is bundled with all its dependencies.
 *
 * @throws {Error} with the compiler's output when it fails
 */
export async function buildPackages(root: string): Promise<void> {
  const folders = compiledPackages.map((name) => join(root, 'packages', name));
  // Removes all of them first: each package must compile against the fresh types of those before it.
  for (const folder of folders) rmSync(join(folder, 'dist'), { recursive: true, force: true });
  for (const folder of folders) {
    compile(root, folder);
    // npm packs a license only from the package's own folder.
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  }
  const page = await bundlePage(root);
  ensureConsole();
  copyServerFiles(root, join(root, 'packages/server/dist'), page.code);
  bundleCommand(root, [...page.inputs, ...readConsoleInputs(root)]);
}

/** Returns the paths of the modules in the built console, relative to the root. */
function readConsoleInputs(root: string): readonly string[] {
  return JSON.parse(readFileSync(join(root, 'packages/console/dist', consoleInputs), 'utf8'));
}

function compile(root: string, folder: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  // With several threads, it takes twice the processor time, and on two cores no less time.
  const project = join(folder, 'tsconfig.build.json');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, '--singleThreaded', '-p', project],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`${project} does not compile:\n${stdout}${stderr}`);
}
