import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from '../list-files.ts';
import { reportProblems } from './report-problems.ts';

/**
 * Checks that some other file mentions each function, constant and class that a file exports. Anybody may import the files
 * that published packages export, so those are left out; so are tests, whose exports are compared with types.
 */
export function checkExports(root: string): string[] {
  const paths = listFiles(root).filter((path) => /\.(?:tsx?|m?js)$/.test(path) && !path.endsWith('.d.ts'));
  const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const mentions = countMentions([...sources.values()]);
  const published = publishedFiles(root);
  return [...sources]
    .filter(([path]) => !published.has(path) && !usedElsewhere.test(path))
    .flatMap(([path, source]) =>
      exportsOf(source)
        .filter((name) => (mentions.get(name) ?? 0) < 2)
        .map((name) => `${path}: exports ${name}, which no other file mentions`),
    );
}

/** Compilers, tools and readers use what these export. */
const usedElsewhere = /\.test\.ts$|\.config\.ts$|\.vitepress\/|^examples\//;

const exported = /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|enum) (\w+)/gm;

/** Returns the names that a source file declares and exports. Names that it passes on have their own files. */
function exportsOf(source: string): string[] {
  return [...source.matchAll(exported)].map(([, name]) => name ?? '');
}

/** Returns in how many of the sources each name occurs. */
function countMentions(sources: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const source of sources) {
    const names = new Set(source.replace(comment, '').match(/[A-Za-z_$][\w$]*/g));
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const comment = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm;

/** Returns the files that the published packages export, from which anybody may import. */
function publishedFiles(root: string): Set<string> {
  const manifests = globSync('packages/*/package.json', { cwd: root });
  return new Set(
    manifests.flatMap((manifest) => {
      const { exports = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as { exports?: object };
      const files = JSON.stringify(exports).match(/\.\/src\/[^"]+\.ts/g) ?? [];
      return files.map((file) => join(manifest, '..', file).replaceAll('\\', '/'));
    }),
  );
}

if (import.meta.main) reportProblems(checkExports(process.cwd()), 'every export is used');
