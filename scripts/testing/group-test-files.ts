import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Writes modules that each run several files of tests in one process, one after the other, every file as a suite of
 * its own. To load the server takes a process longer than most files take to run.
 *
 * @param folder is emptied first
 * @returns the paths of the modules
 */
export function groupTestFiles(files: readonly string[], groups: number, folder: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return Array.from({ length: Math.min(groups, files.length) }, (_, group) => {
    const path = join(folder, `group-${group + 1}.mjs`);
    // Neighbours are alike and take alike long, so that each goes to another group.
    writeFileSync(path, moduleOf(files.filter((_file, index) => index % groups === group)));
    return path;
  });
}

/** A suite is loaded when it is defined, so that the next one is defined when it has ended. */
function moduleOf(files: readonly string[]): string {
  const urls = files.map((file) => [file, pathToFileURL(resolve(file)).href]);
  return `import { after, describe } from 'node:test';

for (const [file, url] of ${JSON.stringify(urls, undefined, 2)}) {
  const { promise: ended, resolve: end } = Promise.withResolvers();
  describe(file, async () => {
    after(end);
    await import(url).catch((error) => {
      end();
      throw error;
    });
  });
  await ended;
}
`;
}
