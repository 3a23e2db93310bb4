import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface GroupOptions {
  /** How many groups to make at most. */
  readonly count: number;
  /** Begins the names of the modules. */
  readonly name: string;
  readonly folder: string;
  /** Holds for these modules alone, and their suites are named after its values. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Writes modules that each run several files of tests in one process, one after the other, every file as a suite of
 * its own. To load the server takes a process longer than most files take to run.
 *
 * @returns the paths of the modules
 */
export function groupTestFiles(files: readonly string[], options: GroupOptions): string[] {
  const { count, name, folder, environment } = options;
  return Array.from({ length: Math.min(count, files.length) }, (_, group) => {
    const path = join(folder, `${name}-${group + 1}.mjs`);
    // Neighbours are alike and take alike long, so that each goes to another group.
    const members = files.filter((_file, index) => index % count === group);
    writeFileSync(path, moduleOf(members, environment));
    return path;
  });
}

/** A suite is loaded when it is defined, so that the next one is defined when it has ended. */
function moduleOf(files: readonly string[], environment: Readonly<Record<string, string>>): string {
  const suites = files.map((file) => [
    [file, ...Object.values(environment)].join(', '),
    pathToFileURL(resolve(file)).href,
  ]);
  return `import { after, describe } from 'node:test';

Object.assign(process.env, ${JSON.stringify(environment)});
for (const [name, url] of ${JSON.stringify(suites, undefined, 2)}) {
  const { promise: ended, resolve: end } = Promise.withResolvers();
  describe(name, async () => {
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
