import type { ExplainedSurvivor } from './explained-survivor.ts';

const sqlite = 'packages/server/src/database/sqlite';
const userSearch = `${sqlite}/user-search.ts`;
const askedAgain = 'if (window > 0n && performance.now() - startedMs > enoughMs) return undefined;';
const windowEnd = 'const to = end < ids.last ? end : ids.last;';
const ignoredParameter =
  'The thread opens and closes its one connection without parameters, and ignores one.';

/** Explained changes of the writes in a thread, and of the other files of the embedded database. */
export const explainedInSqlite: readonly ExplainedSurvivor[] = [
  {
    file: `${sqlite}/group-commit.ts`,
    line: 'const isBulk = group[0]?.deadline?.bulk === true;',
    code: 'group[0]?.deadline',
    replacement: 'group[0].deadline',
    reason: 'A group has at least one write; only the type says that it may have none.',
  },
  {
    file: `${sqlite}/packed-rows.ts`,
    line: 'const columns = (rows[0] ?? []).map((_, index) => {',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'Where there are no rows, no column is read.',
  },
  {
    file: `${sqlite}/writer.ts`,
    line: 'if (statement === undefined) {',
    code: 'statement === undefined',
    replacement: 'true',
    reason: 'A statement that is prepared anew does the same; keeping it only saves time.',
  },
  {
    file: `${sqlite}/thread-session.ts`,
    line: 'createIntrospector: (introspected) => new SqliteIntrospector(introspected),',
    code: '(introspected) => new SqliteIntrospector(introspected)',
    replacement: '() => undefined',
    reason: 'Nothing asks the query builder of the thread for a list of the tables.',
  },
  ...['async commitTransaction(): Promise<never> {', 'async rollbackTransaction(): Promise<never> {'].map(
    (line) => ({
      file: `${sqlite}/thread-session.ts`,
      line,
      code: '{ throw noTransaction(); }',
      replacement: '{}',
      reason: 'The query builder ends only a transaction that it has begun, and it can begin none.',
    }),
  ),
  {
    file: `${sqlite}/statement-thread.ts`,
    line: '#isTransaction = false;',
    code: 'false',
    replacement: 'true',
    reason: 'Nobody sees a thread before it has answered, and each answer sets this.',
  },
  {
    file: `${sqlite}/statement-thread.ts`,
    line: 'execArgv: [],',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A thread ignores arguments that are not options of Node.js; it only must not get ours.',
  },
  ...[
    "await thread.#ask('start', []);",
    "await thread.#ask('open', []);",
    "if (this.#ended === undefined) await this.#ask('close', []);",
  ].map((line) => ({
    file: `${sqlite}/statement-thread.ts`,
    line,
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: ignoredParameter,
  })),
  {
    file: `${sqlite}/statement-thread.ts`,
    line: 'this.#waiting.shift()?.resolve(reply);',
    code: 'this.#waiting.shift()?.resolve',
    replacement: 'this.#waiting.shift().resolve',
    reason: 'The thread answers only what it was asked, so that something waits for each answer.',
  },
  {
    file: `${sqlite}/process-lock.ts`,
    line: 'connection = new DatabaseSync(path, { timeout: 0 });',
    code: '{ timeout: 0 }',
    replacement: '{}',
    reason: 'Node.js waits for no lock unless it is told to.',
  },
  {
    file: `${sqlite}/snapshot.ts`,
    line: 'await backup(source, join(toFolder, name), { rate: pagesPerStep });',
    code: '{ rate: pagesPerStep }',
    replacement: '{}',
    reason:
      'The copy takes more steps, and begins again after a write between two of them; the result is the same.',
  },
  ...['true', 'window >= 0n'].map((replacement) => ({
    file: userSearch,
    line: askedAgain,
    code: 'window > 0n',
    replacement,
    reason: 'At the first question, the time that counts has only just begun.',
  })),
  {
    file: userSearch,
    line: askedAgain,
    code: 'performance.now() - startedMs > enoughMs',
    replacement: 'performance.now() - startedMs >= enoughMs',
    reason: 'The clock counts fractions of a microsecond, so the two never differ.',
  },
  {
    file: userSearch,
    line: windowEnd,
    code: 'end < ids.last',
    replacement: 'true',
    reason: 'Beyond the last user of the tenant, no entry of the index has its mark.',
  },
  {
    file: userSearch,
    line: windowEnd,
    code: 'end < ids.last',
    replacement: 'end <= ids.last',
    reason: 'Where the two are equal, it does not matter which one is taken.',
  },
  ...['first', 'last'].map((column) => ({
    file: userSearch,
    line: 'return { first: rows[0]?.first ?? 0n, last: rows[0]?.last ?? 0n };',
    code: `rows[0]?.${column}`,
    replacement: `rows[0].${column}`,
    reason: 'The statement always returns one row; only the type says that there may be none.',
  })),
];
