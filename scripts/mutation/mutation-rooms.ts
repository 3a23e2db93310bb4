/** Code that is changed one place at a time, and the tests that ought to notice. */
export interface MutationRoom {
  readonly name: string;
  /** Patterns of the files that are changed. */
  readonly code: readonly string[];
  /** Patterns of the test files that run for each change they cover. */
  readonly tests: readonly string[];
}

const server = 'packages/server/src';

/** The rooms that hold the guarantees: signatures, the steps of a request, the edge, the embedded database. */
export const mutationRooms: readonly MutationRoom[] = [
  room('signing', 'packages/signing/src', ['packages/signing/src/**/*.test.ts']),
  room('pipeline', `${server}/pipeline`, [`${server}/pipeline/**/*.test.ts`, `${server}/*.test.ts`]),
  room('http', `${server}/http`, [`${server}/http/**/*.test.ts`]),
  room('sqlite', `${server}/database/sqlite`, [`${server}/database/sqlite/**/*.test.ts`]),
];

function room(name: string, folder: string, tests: readonly string[]): MutationRoom {
  // The page at /docs runs in a browser, where the browser's tests look after it.
  const code = [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/reference/page/**`];
  return { name, code, tests };
}
