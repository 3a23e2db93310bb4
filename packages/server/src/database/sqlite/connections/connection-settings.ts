/** Options of every connection to the directory. */
export const connectionOptions = {
  readBigInts: true,
  timeout: 2_000,
  enableForeignKeyConstraints: true,
} as const;

/** Statements that prepare a connection to the directory. */
export const connectionSettings = [
  // FULL makes a commit return only once its pages are on disk, safe from power loss.
  'pragma synchronous = full',
  'pragma trusted_schema = off',
  // Former texts of a changed or deleted row leave no copy in pages that stay in use. Freed pages keep theirs, which
  // costs nothing here: an erasure overwrites them.
  'pragma secure_delete = fast',
  'pragma cache_size = -6144',
  // 32 MB of log: a page changed by many writes is copied into the database once, and commits wait for that less often.
  'pragma wal_autocheckpoint = 8000',
].join('; ');
