import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Builds the console into `packages/console/dist`, from which a checkout serves it.
 *
 * @throws {Error} with the output of Vite when it fails
 */
export function buildConsole(): void {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=fieldroster-source', vite, 'build', '--configLoader', 'native', '--logLevel', 'warn'],
    { cwd: join(root, 'packages/console'), encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the console cannot be built:\n${stdout}${stderr}`);
}

if (import.meta.main) buildConsole();
