import { existsSync, globSync } from 'node:fs';
import { dirname } from 'node:path';

/** Code to mutate, and the tests that should notice. */
export interface MutationRoom {
  readonly name: string;
  readonly folder: string;
}

const server = 'packages/server/src';

/**
 * The code that holds the guarantees: signatures, the steps of a request and its queues, the edge, the reading and
 * writing of JSON, the embedded database.
 */
export const mutationRooms: readonly MutationRoom[] = [
  { name: 'signing', folder: 'packages/signing/src' },
  { name: 'pipeline', folder: `${server}/pipeline` },
  { name: 'fairness', folder: `${server}/fairness` },
  { name: 'http', folder: `${server}/http` },
  { name: 'json', folder: `${server}/json` },
  { name: 'sqlite', folder: `${server}/database/sqlite` },
];

/** Tests that read the source instead of running it. They would fail on what the tester adds to it. */
const testsOfSource = ['packages/signing/src/crypto/node-in-one-file.test.ts'];

/** Lists the files of a room that are mutated. The page at /docs is left out: browser tests cover it. */
export function listMutatedFiles({ folder }: MutationRoom): string[] {
  const exclude = ['**/*.test.ts', `${folder}/reference/page/**`];
  return globSync(`${folder}/**/*.ts`, { exclude }).sort();
}

/**
 * Lists the tests of a room: first those of the given files, in their order, then those in the same folders. The tester
 * runs the tests of a change in this order and stops at the first one that notices it.
 */
export function listTests({ folder }: MutationRoom, files: readonly string[]): string[] {
  const folders = new Set(files.map(dirname));
  const tests = globSync(`${folder}/**/*.test.ts`, { exclude: testsOfSource }).sort();
  const inFolders = tests.filter((test) => folders.has(dirname(test)));
  return [...new Set([...listOwnTests(files), ...inFolders, ...tests])];
}

/** Lists the tests that have the names of the given files. */
export function listOwnTests(files: readonly string[]): string[] {
  return files.map((file) => file.replace(/\.ts$/, '.test.ts')).filter((test) => existsSync(test));
}
