import { cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { ensureConsole } from '../ensure-console.ts';
import { bundlePage } from './bundle-page.ts';
import { commandEntry } from './command-entry.ts';
import { copyServerFiles, filesOfServer } from './copy-server-files.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

/** Server modules that run as worker threads, without their extension. */
const workers = [
  'database/sqlite/writes/checkpoint-worker',
  'database/sqlite/writes/statement-worker',
  'passwords/hashes/bcrypt-worker',
];

/**
 * CommonJS packages require Node.js modules by name, which an ES module cannot. Some also look for files beside
 * their own, none of which is needed here.
 */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/**
 * Bundles the compiled command into few files: finding, reading and linking a thousand modules took more than
 * half of the start time. Rarely used code stays separate and is loaded on demand.
 *
 * @param pageInputs paths of the files bundled into the page at /docs, whose licenses are listed as well
 */
export function bundleCommand(root: string, pageInputs: readonly string[]): void {
  const [command, server] = [join(root, 'packages/cli'), join(root, 'packages/server/dist')];
  const [compiled, bundled] = [join(command, 'dist'), join(command, 'dist-bundled')];
  // Leftovers of an interrupted build would be published as well.
  rmSync(bundled, { recursive: true, force: true });
  const { inputs } = bundleModules(root, {
    outdir: bundled,
    main: join(compiled, 'main.js'),
    workers: workers.map((path) => [path, join(server, `${path}.js`)]),
  });
  rmSync(compiled, { recursive: true });
  renameSync(bundled, compiled);
  for (const path of filesOfServer) cpSync(join(server, path), join(compiled, path), { recursive: true });
  copyDocuments(root, compiled);
  writeFileSync(
    join(command, 'THIRD-PARTY-NOTICES'),
    thirdPartyNotices(root, [...Object.keys(inputs), ...pageInputs]),
  );
}

/**
 * Bundles the command from its sources, for tests that start it: a start from the bundle takes half the processor
 * time of one from the sources.
 *
 * @param folder takes the place of the package's folder
 * @returns the path of the module to run
 */
export async function bundleCommandSources(root: string, folder: string): Promise<string> {
  const [command, server] = [join(root, 'packages/cli'), join(root, 'packages/server/src')];
  const outdir = join(folder, 'dist');
  bundleModules(root, {
    outdir,
    main: join(command, 'src/main.ts'),
    workers: workers.map((path) => [path, join(server, `${path}.ts`)]),
    conditions: ['fieldroster-source'],
  });
  ensureConsole();
  copyServerFiles(root, outdir, (await bundlePage(root)).code);
  copyDocuments(root, outdir);
  for (const path of ['package.json', 'sample'])
    cpSync(join(command, path), join(folder, path), { recursive: true });
  return join(outdir, 'main.js');
}

/** Copies the documents that messages of the command name. */
function copyDocuments(root: string, dist: string): void {
  for (const name of globSync('*.md', { cwd: join(root, 'docs') }))
    cpSync(join(root, 'docs', name), join(dist, 'docs', name));
}

interface Modules {
  readonly outdir: string;
  readonly main: string;
  /** The name of each worker's module in the bundle, and its path. */
  readonly workers: readonly (readonly [name: string, path: string])[];
  readonly conditions?: string[];
}

function bundleModules(root: string, { outdir, main, workers, conditions = [] }: Modules): Metafile {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: { command: main, ...Object.fromEntries(workers) },
    outdir,
    conditions,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // The driver tries this optional alternative, and continues when it is missing.
    external: ['pg-native'],
    // An import of all of node:http would slow down each start; the comment of this file says why.
    alias: { 'node:http': join(root, 'scripts/packages/builtin-http.cjs') },
    banner: { js: banner },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const { engines } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
  writeFileSync(join(outdir, 'main.js'), commandEntry(engines.node, './command.js'));
  return metafile;
}
