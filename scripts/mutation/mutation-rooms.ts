import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Code to mutate, and the tests that should notice. */
export interface MutationRoom {
  readonly name: string;
  readonly folder: string;
}

const server = 'packages/server/src';

/** The code that holds the guarantees: signatures, the steps of a request, the edge, the embedded database. */
export const mutationRooms: readonly MutationRoom[] = [
  { name: 'signing', folder: 'packages/signing/src' },
  { name: 'pipeline', folder: `${server}/pipeline` },
  { name: 'http', folder: `${server}/http` },
  { name: 'sqlite', folder: `${server}/database/sqlite` },
];

/** Read the source instead of running it, and would fail on the tester's additions to it. */
const testsOfSource = ['packages/signing/src/crypto/node-in-one-file.test.ts'];

/** Lists the files of a room that are mutated. The page at /docs is left out: browser tests cover it. */
export function listMutatedFiles({ folder }: MutationRoom): string[] {
  const exclude = ['**/*.test.ts', `${folder}/reference/page/**`];
  return globSync(`${folder}/**/*.ts`, { exclude }).sort();
}

/** Lists the tests of a room, those of the given files first: a change they notice needs no other test. */
export function listTests({ folder }: MutationRoom, files: readonly string[]): string[] {
  const nearest = new Set(files.map((file) => file.replace(/\.ts$/, '.test.ts')));
  const folders = new Set(files.map(dirname));
  const distance = (test: string): number => (nearest.has(test) ? 0 : folders.has(dirname(test)) ? 1 : 2);
  return globSync(`${folder}/**/*.test.ts`, { exclude: testsOfSource }).sort(
    (a, b) => distance(a) - distance(b) || basename(a).localeCompare(basename(b)),
  );
}
