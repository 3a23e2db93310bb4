import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface GroupOptions {
  /** The largest number of groups. */
  readonly count: number;
  /** Prefix of the module names. */
  readonly name: string;
  readonly folder: string;
  /** Set only for these modules, whose suites are named after its values. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Writes modules that each run several test files in one process, sequentially, with a suite for each file.
 * Loading the server takes a process longer than running most files.
 *
 * @returns the paths of the modules
 */
export function groupTestFiles(files: readonly string[], options: GroupOptions): string[] {
  const { count, name, folder, environment } = options;
  return Array.from({ length: Math.min(count, files.length) }, (_, group) => {
    const path = join(folder, `${name}-${group + 1}.mjs`);
    // Neighbouring files take similar time, so they go to different groups.
    const members = files.filter((_file, index) => index % count === group);
    writeFileSync(path, moduleOf(members, environment));
    return path;
  });
}

/** Defining a suite loads its file, so each suite is defined after the previous one has ended. */
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
