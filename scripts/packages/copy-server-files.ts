import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signerFiles } from '@fieldroster/contract/signing-scripts';

const pageFolder = 'http/reference/page';

/** Not where the server's own code for the console is compiled to. */
const consoleFolder = 'http/console/built';

/** Files and folders that a built server reads from its own folder. */
export const filesOfServer = [pageFolder, consoleFolder, 'openapi.json'];

/** File of the built console that lists the modules in it. */
export const consoleInputs = 'inputs.json';

/**
 * Copies the files that a built server reads from its own folder. The console must be built.
 *
 * @param dist folder of the built server
 * @param pageScript the bundle that browsers load at /docs
 */
export function copyServerFiles(root: string, dist: string, pageScript: string): void {
  const [source, target] = [join(root, 'packages/server/src', pageFolder), join(dist, pageFolder)];
  const isAsset = (path: string) => !/\.(ts|json)$|[\\/](guides)$/.test(path);
  cpSync(source, target, { recursive: true, filter: isAsset });
  writeFileSync(join(target, 'main.js'), pageScript);
  for (const file of Object.values(signerFiles))
    cpSync(join(root, 'examples', file), join(target, 'signers', file));
  copyFileSync(join(root, 'docs/openapi.json'), join(dist, 'openapi.json'));
  const console = join(root, 'packages/console/dist');
  const isServed = (path: string) => !path.endsWith(consoleInputs);
  cpSync(console, join(dist, consoleFolder), { recursive: true, filter: isServed });
}
