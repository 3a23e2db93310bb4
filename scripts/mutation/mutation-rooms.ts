/** Code to mutate, and the tests that should notice. */
export interface MutationRoom {
  readonly name: string;
  /** Patterns of the files to mutate. */
  readonly code: readonly string[];
  /** Patterns of the test files to run for each mutation they cover. */
  readonly tests: readonly string[];
}

const server = 'packages/server/src';

/** The code that holds the guarantees: signatures, the steps of a request, the edge, the embedded database. */
export const mutationRooms: readonly MutationRoom[] = [
  room('signing', 'packages/signing/src', ['packages/signing/src/**/*.test.ts']),
  room('pipeline', `${server}/pipeline`, [`${server}/pipeline/**/*.test.ts`, `${server}/*.test.ts`]),
  room('http', `${server}/http`, [`${server}/http/**/*.test.ts`]),
  room('sqlite', `${server}/database/sqlite`, [`${server}/database/sqlite/**/*.test.ts`]),
];

function room(name: string, folder: string, tests: readonly string[]): MutationRoom {
  // The page at /docs runs in a browser and is covered by browser tests.
  const code = [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/reference/page/**`];
  return { name, code, tests };
}
