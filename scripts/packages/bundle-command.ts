import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild-wasm';
import { thirdPartyNotices } from './third-party-notices.ts';

/** Server modules that run as worker threads, without their extension. */
const workers = ['passwords/hashes/bcrypt-worker'];

/** Files that the server reads from its own folder. */
const filesOfServer = ['http/reference/page', 'openapi.json'];

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
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: {
      main: join(compiled, 'main.js'),
      ...Object.fromEntries(workers.map((path) => [path, join(server, `${path}.js`)])),
    },
    outdir: bundled,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // The driver tries this optional alternative, and continues when it is missing.
    external: ['pg-native'],
    banner: { js: banner },
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  rmSync(compiled, { recursive: true });
  renameSync(bundled, compiled);
  for (const path of filesOfServer) cpSync(join(server, path), join(compiled, path), { recursive: true });
  writeFileSync(
    join(command, 'THIRD-PARTY-NOTICES'),
    thirdPartyNotices(root, [...Object.keys(metafile.inputs), ...pageInputs]),
  );
}
