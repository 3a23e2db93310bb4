import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

interface GroupOptions {
  /** The largest number of processes. */
  readonly count: number;
  /** Prefix of the module names. */
  readonly name: string;
  readonly folder: string;
  /** Set only for these modules, whose suites are named after its values. */
  readonly environment: Readonly<Record<string, string>>;
  /** How long the loading of a file may take, and the end of a process after its last test. */
  readonly timeoutMs: number;
}

/**
 * Writes modules that each run several test files in one process, sequentially, with a suite for each file.
 * Loading the server takes a process longer than running most files. Each process takes the next file that no other
 * has taken, so that all of them end at about the same time.
 *
 * @param files in the order in which they start
 * @returns the paths of the modules
 */
export function groupTestFiles(files: readonly string[], options: GroupOptions): string[] {
  const { count, name, folder } = options;
  const taken = mkdtempSync(join(folder, `${name}-taken-`));
  return Array.from({ length: Math.min(count, files.length) }, (_, group) => {
    // A process without a test would be reported as one, so each has its first file from the start.
    mkdirSync(join(taken, String(group)));
    const path = join(folder, `${name}-${group + 1}.mjs`);
    writeFileSync(path, moduleOf(files, options, { taken, first: group }));
    return path;
  });
}

interface Queue {
  /** Folder with an entry for each file that a process has taken, named after the file's index. */
  readonly taken: string;
  /** Index of the file that this module starts with. */
  readonly first: number;
}

/** Defining a suite loads its file, so each suite is defined after the previous one has ended. */
function moduleOf(
  files: readonly string[],
  { environment, timeoutMs }: GroupOptions,
  { taken, first }: Queue,
): string {
  const suites = files.map((file, index) => ({
    name: [file, ...Object.values(environment)].join(', '),
    url: pathToFileURL(resolve(file)).href,
    mark: join(taken, String(index)),
  }));
  return `import { mkdirSync } from 'node:fs';
import { after, describe } from 'node:test';

Object.assign(process.env, ${JSON.stringify(environment)});
const suites = ${JSON.stringify(suites, undefined, 2)};
// If a test waits for nothing that keeps the process alive, the package that starts PostgreSQL would exit with 0 here,
// and the remaining tests would be lost.
const alive = setInterval(() => {}, 60_000);
await run(suites[${first}]);
for (const suite of suites) if (take(suite)) await run(suite);
clearInterval(alive);
// Resources that the tests leave open would keep this process alive for ever.
setTimeout(() => {
  console.error('the tests left resources that keep their process alive: ' + process.getActiveResourcesInfo().join(', '));
  process.exit(1);
}, ${timeoutMs}).unref();

async function run({ name, url }) {
  const { promise: ended, resolve: end } = Promise.withResolvers();
  describe(name, async () => {
    after(end);
    await load(url).catch((error) => {
      end();
      throw error;
    });
  });
  await ended;
}

async function load(url) {
  const { promise: late, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject(new Error('loading the file takes too long')), ${timeoutMs});
  await Promise.race([import(url), late]).finally(() => clearTimeout(timer));
}

function take({ mark }) {
  try {
    mkdirSync(mark);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}
`;
}
