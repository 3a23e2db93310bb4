import { createHash } from 'node:crypto';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundleCommandSources } from '../packages/bundle-command.ts';

const prefix = 'command-';
const keptMs = 24 * 60 * 60_000;

/**
 * Bundles the command for the processes that tests start. The folder is named after its content, because Node.js
 * caches compiled code by path, and a concurrent run may have other sources.
 *
 * @returns the path of the module to run
 */
export async function buildTestCommand(root: string): Promise<string> {
  const cache = join(root, 'node_modules/.cache/fieldroster');
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, prefix));
  await bundleCommandSources(root, draft);
  const folder = join(cache, `${prefix}${digestOf(draft)}`);
  try {
    renameSync(draft, folder);
  } catch {
    // An earlier run has built the same.
    rmSync(draft, { recursive: true });
    utimesSync(folder, new Date(), new Date());
  }
  removeOldOnes(cache);
  return join(folder, 'dist/main.js');
}

function digestOf(folder: string): string {
  const digest = createHash('sha256');
  const entries = globSync('**', { cwd: folder, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.sort()) digest.update(`${path.slice(folder.length)}\0`).update(readFileSync(path));
  return digest.digest('hex').slice(0, 16);
}

function removeOldOnes(cache: string): void {
  const folders = readdirSync(cache).filter((name) => name.startsWith(prefix));
  for (const path of folders.map((name) => join(cache, name)))
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
}
