import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild-wasm';
import { thirdPartyNotices } from './third-party-notices.ts';

/** Modules of the server that are started as threads, without an ending. */
const workers = ['passwords/hashes/bcrypt-worker'];

/** What the server reads from its own folder. */
const filesOfServer = ['http/reference/page', 'openapi.json'];

/**
 * Packages that are written in CommonJS require modules of Node.js by name, which a module cannot; some look for
 * files beside their own, of which none is needed here.
 */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/**
 * Puts what the compiled command is made of into few files: of the time that a start takes, finding, reading and
 * linking a thousand modules was more than half. What runs rarely stays apart, and is loaded when it is needed.
 *
 * @param pageInputs paths of what the page at /docs was bundled from, whose licenses are named as well
 */
export function bundleCommand(root: string, pageInputs: readonly string[]): void {
  const [command, server] = [join(root, 'packages/cli'), join(root, 'packages/server/dist')];
  const [compiled, bundled] = [join(command, 'dist'), join(command, 'dist-bundled')];
  // What an interrupted build left would be published as well.
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
    // Asked for by a driver that would rather be another one, and goes on when it is not there.
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
