import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Message } from 'esbuild';

/** The bundled script of the page at `/docs`. */
export interface PageBundle {
  readonly code: string;
  /** Paths of the bundled files, relative to the root. */
  readonly inputs: readonly string[];
}

const page = 'packages/server/src/http/reference/page';

/**
 * Bundles the script of the page at `/docs` with the signing library, for browsers.
 *
 * @throws {Error} naming each import that no browser supports
 */
export async function bundlePage(root: string, main = join(root, page, 'main.ts')): Promise<PageBundle> {
  const { outputFiles, metafile } = await build({
    ...{ absWorkingDir: root, entryPoints: [main], conditions: ['fieldroster-source'] },
    ...{ bundle: true, format: 'esm', platform: 'browser', target: 'es2022', charset: 'utf8' },
    ...{ write: false, metafile: true, logLevel: 'silent' },
  }).catch(({ errors = [] }: { errors?: readonly Message[] }) => {
    const places = errors.map(({ text, location }) => `${location?.file}:${location?.line}: ${text}`);
    throw new Error(`the page at /docs cannot be bundled:\n${places.join('\n')}`);
  });
  return { code: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs) };
}

/** The files that the bundle depends on: its sources and, through the lock file, the version of every package. */
const sources = [
  'package-lock.json',
  'packages/server/src/json/exact-json.ts',
  `${page}/**/*.ts`,
  'packages/contract/src/signing-scripts/*.ts',
  'packages/signing/package.json',
  'packages/signing/src/**/*.ts',
  'scripts/packages/bundle-page.ts',
];

/**
 * Returns the page's script for a server that runs from the sources. Bundles it when a source has changed;
 * otherwise reads it from `node_modules/.cache`.
 */
export async function pageScript(root: string, bundle = bundlePage): Promise<string> {
  const file = join(root, 'node_modules/.cache/fieldroster', `docs-${fingerprint(root)}.js`);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const { code } = await bundle(root);
  mkdirSync(dirname(file), { recursive: true });
  // Several servers may bundle at the same time; none may read a partial file.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, file);
  return code;
}

function fingerprint(root: string): string {
  const digest = createHash('sha256');
  for (const path of globSync(sources, { cwd: root }).sort()) {
    digest.update(`${path}\0`).update(readFileSync(join(root, path)));
  }
  return digest.digest('hex').slice(0, 16);
}
