import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const notOurs = new Set(['node_modules', 'dist', 'dist-bundled', 'data', 'coverage', '.git']);

/** Lists the project's own files below a folder: sorted paths relative to `root`, with forward slashes. */
export function listFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : listFiles(root, path);
      return entry.isFile() && !notOurs.has(entry.name) ? [path] : [];
    })
    .sort();
}

/** Returns whether a path belongs to a test or to code that only tests use. */
export function isTestFile(path: string): boolean {
  return /\.test\.ts$|(^|\/)(test|testing|conformance|e2e|bench)\//.test(path);
}
