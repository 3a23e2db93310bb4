import type { ExplainedSurvivor } from './explained-survivor.ts';

const sqlite = 'packages/server/src/database/sqlite';
const groupCommit = `${sqlite}/writes/group-commit.ts`;
const groupTransaction = `${sqlite}/writes/group-transaction.ts`;
const groupRead = `${sqlite}/connections/group-read.ts`;
const groupConnection = `${sqlite}/connections/group-connection.ts`;
const damagedFiles = 'packages/server/src/database/sqlite/bookkeeping/damaged-files.ts';
const userSearch = `${sqlite}/user-search.ts`;
const otherSystems = 'It is for systems other than the one on which the mutations run.';
const createPrivately = `${sqlite}/files/create-privately.ts`;
const windowEnd = 'const to = end < ids.last ? end : ids.last;';
const aloneInTransaction = 'A transaction around a single read takes time and changes nothing.';
const ignoredParameter =
  'The thread opens and closes its one connection without parameters, and ignores one.';

/** Explained changes of the embedded database. */
export const explainedInSqlite: readonly ExplainedSurvivor[] = [
  {
    file: createPrivately,
    line: "if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;",
    code: "(error as NodeJS.ErrnoException).code !== 'EEXIST'",
    replacement: 'false',
    reason: 'What keeps a file from being created keeps it from being opened too, with the same error.',
  },
  ...['true', 'false', 'existsSync(openFiles)'].map((replacement) => ({
    file: createPrivately,
    line: 'if (!existsSync(openFiles)) {',
    code: '!existsSync(openFiles)',
    replacement,
    reason:
      'Both ways end in the same modes. They differ only for an attacker who is quicker than two calls.',
  })),
  {
    file: createPrivately,
    line: 'if (!existsSync(openFiles)) {',
    code: '{ // The owner of the folder can put a link in its place between these two calls. if (isOwnName(path, lstatSync(path))) chmodSync(path, 0o600); return; }',
    replacement: '{}',
    reason: otherSystems,
  },
  ...['true', 'false'].map((replacement) => ({
    file: createPrivately,
    line: 'if (isOwnName(path, lstatSync(path))) chmodSync(path, 0o600);',
    code: 'isOwnName(path, lstatSync(path))',
    replacement,
    reason: otherSystems,
  })),

  ...['true', 'this.waiting >= 0'].map((replacement) => ({
    file: groupCommit,
    line: 'if (this.waiting > 0) await new Promise((resume) => setImmediate(resume));',
    code: 'this.waiting > 0',
    replacement,
    reason: 'One more iteration of the event loop after the last group changes no outcome.',
  })),
  {
    file: groupCommit,
    line: 'if (jobs.length === 0) return;',
    code: 'jobs.length === 0',
    replacement: 'false',
    reason: 'Without a job there is no transaction, so nothing is committed, and nobody is left to be told.',
  },
  {
    file: groupCommit,
    line: "committed = transaction.isOpen || outcomes.some((outcome) => 'value' in outcome);",
    code: "outcomes.some((outcome) => 'value' in outcome)",
    replacement: "outcomes.every(outcome => 'value' in outcome)",
    reason:
      'A group with both kinds of outcomes ran in savepoints, whose end fails once the transaction is gone.',
  },
  {
    file: groupTransaction,
    line: 'if (performance.now() > giveUpAtMs) {',
    code: 'performance.now() > giveUpAtMs',
    replacement: 'performance.now() >= giveUpAtMs',
    reason: 'The clock counts fractions of a microsecond, so the two never differ.',
  },
  {
    file: groupTransaction,
    line: "if (last === undefined || !('error' in last)) return outcomes;",
    code: 'last === undefined',
    replacement: 'false',
    reason: 'A group has at least one write; the comparison is there for the type checker.',
  },
  {
    file: groupTransaction,
    line: 'if (timeSlice.isOver()) await timeSlice.next();',
    code: 'timeSlice.isOver()',
    replacement: 'true',
    reason: 'Serving others after every write, however short it was, only takes time.',
  },
  {
    file: groupRead,
    line: 'if (this.#waiting.length === 0) setImmediate(() => this.#runGroup());',
    code: 'this.#waiting.length === 0',
    replacement: 'true',
    reason: 'The first of several scheduled groups takes all reads; the others find none.',
  },
  ...['true', 'jobs.length >= 1'].map((replacement) => ({
    file: groupRead,
    line: 'group = this.#begin(jobs.length > 1);',
    code: 'jobs.length > 1',
    replacement,
    reason: aloneInTransaction,
  })),
  {
    file: groupRead,
    line: 'if (group.hasNews) this.#version += 1n;',
    code: 'this.#version += 1n',
    replacement: 'this.#version -= 1n',
    reason: 'Any number that was not used before shows that something was committed.',
  },
  {
    file: groupConnection,
    line: 'if (inTransaction) this.#begin.run();',
    code: 'inTransaction',
    replacement: 'true',
    reason: aloneInTransaction,
  },
  {
    file: groupConnection,
    line: 'hasNews = false;',
    code: 'false',
    replacement: 'true',
    reason: 'Nobody reads it before the first group, which sets it.',
  },
  {
    file: `${sqlite}/files/file-identity.ts`,
    line: 'const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });',
    code: 'true',
    replacement: 'false',
    reason: 'Only inode numbers above 2^53 lose digits without it, and no test can choose them.',
  },
  {
    file: `${sqlite}/files/file-mapping.ts`,
    line: 'if (isQuiet !== this.#isMapped) this.#map(isQuiet);',
    code: 'isQuiet !== this.#isMapped',
    replacement: 'true',
    reason:
      'Setting the limit that is set already changes nothing; the comparison saves a statement per group.',
  },
  {
    file: groupCommit,
    line: 'const isBulk = group[0]?.deadline?.bulk === true;',
    code: 'group[0]?.deadline',
    replacement: 'group[0].deadline',
    reason: 'A group has at least one write; only the type says that it may have none.',
  },
  {
    file: `${sqlite}/writes/packed-rows.ts`,
    line: 'const columns = (rows[0] ?? []).map((_, index) => {',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'Where there are no rows, no column is read.',
  },
  {
    file: `${sqlite}/writes/writer.ts`,
    line: 'if (statement === undefined) {',
    code: 'statement === undefined',
    replacement: 'true',
    reason: 'Preparing the statement again has the same effect; keeping it only saves time.',
  },
  {
    file: `${sqlite}/writes/thread-session.ts`,
    line: 'createIntrospector: (introspected) => new SqliteIntrospector(introspected),',
    code: '(introspected) => new SqliteIntrospector(introspected)',
    replacement: '() => undefined',
    reason: 'Nothing asks the query builder of the thread for a list of the tables.',
  },
  ...['async commitTransaction(): Promise<never> {', 'async rollbackTransaction(): Promise<never> {'].map(
    (line) => ({
      file: `${sqlite}/writes/thread-session.ts`,
      line,
      code: '{ throw noTransaction(); }',
      replacement: '{}',
      reason: 'The query builder ends only a transaction that it has begun, and it can begin none.',
    }),
  ),
  {
    file: `${sqlite}/writes/statement-thread.ts`,
    line: '#isTransaction = false;',
    code: 'false',
    replacement: 'true',
    reason: 'Nobody sees a thread before it has answered, and each answer sets this.',
  },
  {
    file: `${sqlite}/writes/statement-thread.ts`,
    line: 'execArgv: [],',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A thread ignores arguments that are not options of Node.js; it only must not get ours.',
  },
  ...[
    "await thread.#ask({ action: 'start', values: [] });",
    "await thread.#ask({ action: 'open', values: [] });",
    "if (this.#ended === undefined) await this.#ask({ action: 'close', values: [] });",
  ].map((line) => ({
    file: `${sqlite}/writes/statement-thread.ts`,
    line,
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: ignoredParameter,
  })),
  {
    file: `${sqlite}/writes/statement-thread.ts`,
    line: 'this.#waiting.shift()?.resolve(reply);',
    code: 'this.#waiting.shift()?.resolve',
    replacement: 'this.#waiting.shift().resolve',
    reason: 'The thread answers only what it was asked, so that something waits for each answer.',
  },
  {
    file: `${sqlite}/files/process-lock.ts`,
    line: 'connection = new DatabaseSync(path, { timeout: 0 });',
    code: '{ timeout: 0 }',
    replacement: '{}',
    reason: 'Node.js waits for no lock unless it is told to.',
  },
  {
    file: `${sqlite}/files/snapshot.ts`,
    line: 'await backup(source, join(toFolder, name), { rate: pagesPerStep });',
    code: '{ rate: pagesPerStep }',
    replacement: '{}',
    reason:
      'The copy takes more steps, and begins again after a write between two of them; the result is the same.',
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
  {
    file: `${sqlite}/inspection/inspection.ts`,
    line: "return [{ name: 'journal_mode', value: String(row?.journal_mode), wanted: 'wal' }];",
    code: 'row?.journal_mode',
    replacement: 'row.journal_mode',
    reason: 'The statement always returns one row; only the type says that there may be none.',
  },
  {
    file: `${sqlite}/files/database-file-error.ts`,
    line: '} catch {',
    code: '{ return undefined; }',
    replacement: '{}',
    reason: 'A function that ends without a return returns undefined too.',
  },
  {
    file: `${sqlite}/connections/connection-settings.ts`,
    line: "'pragma synchronous = full',",
    code: "'pragma synchronous = full',",
    replacement: '',
    reason: 'The SQLite within Node.js does so anyway; the setting is there for other builds.',
  },
  ...[
    [
      'const oldest = [...new Set(namesAside(path).map(({ start }) => start))].sort().slice(0, -keptMax);',
      '[...new Set(namesAside(path).map(({ start }) => start))].sort()',
      '[...new Set(namesAside(path).map(({ start }) => start))]',
    ],
    [
      'return namesAside(path)',
      'namesAside(path) .map(({ name }) => join(dirname(path), name)) .sort()',
      'namesAside(path).map(({ name }) => join(dirname(path), name))',
    ],
  ].map(([line = '', code = '', replacement = '']) => ({
    file: damagedFiles,
    line,
    code,
    replacement,
    reason: 'Node.js lists the names of a folder in this order on Linux, but does not promise it.',
  })),
  {
    file: damagedFiles,
    line: 'const [, ending] = name.startsWith(own) ? (aside.exec(name.slice(own.length)) ?? []) : [];',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'Only the second element is read.',
  },
];
