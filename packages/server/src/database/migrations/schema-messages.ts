/** Returns the log message of a server that serves newer tables. */
export function newerTablesNotice(newer: readonly string[]): string {
  return (
    `the database was changed by a newer release (${newer.join(', ')}); this release can serve it, but ignores ` +
    'what was added: finish the rollback or the upgrade soon'
  );
}

/** @param location what the message calls the database */
export function noTablesIn(location: string): string {
  return (
    `there is no directory in the database ${location}; name the database that has it, or, to make an empty directory in ` +
    'this one, run: fieldroster migrate'
  );
}

/** @param pending names of the migrations that the tables lack */
export function olderTables(pending: readonly string[]): string {
  return (
    `the database lacks ${pending.join(', ')}, so it is of an earlier release: use that release while its servers run, ` +
    'or, to change the tables for this one, run: fieldroster migrate'
  );
}
