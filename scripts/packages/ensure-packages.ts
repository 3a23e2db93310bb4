import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPackages } from './build-packages.ts';

/** The sources of the published packages, and the files that a build leaves. */
const patterns = [
  'package-lock.json',
  'tsconfig.json',
  'LICENSE',
  'docs/*.{md,json}',
  'examples/**',
  'packages/**',
  'scripts/build-console.ts',
  'scripts/packages/**',
];

/**
 * Builds the published packages, unless the last build left its files and nothing that it reads has changed.
 * `npm run check` builds them too.
 */
export async function ensurePackages(root: string, build = buildPackages): Promise<void> {
  const record = join(root, 'node_modules/.cache/fieldroster/packages.sha256');
  if (readText(record) === digestOf(root)) return;
  await build(root);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, digestOf(root));
}

function digestOf(root: string): string {
  const entries = globSync(patterns, {
    cwd: root,
    withFileTypes: true,
    exclude: ({ name }) => name === 'node_modules' || name.endsWith('.test.ts'),
  });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const digest = createHash('sha256');
  for (const path of paths.sort()) {
    const content = readFileSync(path);
    digest.update(`${path} ${content.length}\0`).update(content);
  }
  return digest.digest('hex');
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
