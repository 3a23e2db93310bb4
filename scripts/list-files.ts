import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const notOurs = new Set(['node_modules', 'dist', 'dist-bundled', 'data', 'coverage', '.git']);

/** Paths of the project's own files below a folder, relative to `root`, with forward slashes, sorted. */
export function listFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : listFiles(root, path);
      return entry.isFile() && !notOurs.has(entry.name) ? [path] : [];
    })
    .sort();
}

/** Whether a path is a test's, or of what only tests use. */
export function isTestFile(path: string): boolean {
  return /\.test\.ts$|(^|\/)(test|testing|conformance|e2e|bench)\//.test(path);
}
