/** Returns the log message of a server that serves newer tables. */
export function newerTablesNotice(newer: readonly string[]): string {
  return (
    `the database was changed by a newer release (${newer.join(', ')}); this release can serve it, but ignores ` +
    'what was added: finish the rollback or the upgrade soon'
  );
}

/** @param consequence why work of this release must not go on, as the end of a sentence */
export function newerTables(newer: readonly string[], consequence: string): string {
  return `the database was changed by a newer release (${newer.join(', ')}), and ${consequence}; run this command with the newer release`;
}

/** @param location what the message calls the database */
export function noTablesIn(location: string): string {
  return (
    `there is no directory in the database ${location}; name the database that has it, or, to make an empty directory in ` +
    'this one, run: fieldroster migrate'
  );
}

/** @param names those of Fieldroster's tables that something else has */
export function takenNames(names: readonly string[]): string {
  return (
    `the database already has ${quoted(names)}, which Fieldroster did not make, so it cannot create its own; ` +
    'create a database for Fieldroster alone and name that one'
  );
}

/**
 * @param location what the message calls the database
 * @param names the tables of other programs
 */
export function notEmpty(location: string, names: readonly string[]): string {
  return (
    `${location} already has ${quoted(names)}, which Fieldroster did not make; ` +
    'create an empty database for Fieldroster alone and name that one'
  );
}

const namedMax = 3;

function quoted(names: readonly string[]): string {
  const named = names.slice(0, namedMax).map((name) => JSON.stringify(name));
  const others = names.length - named.length;
  return named.join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** @param pending names of the migrations that the tables lack */
export function olderTables(pending: readonly string[]): string {
  return (
    `the database lacks ${pending.join(', ')}, so it belongs to an earlier release: use that release while its servers run, ` +
    'or, to change the tables for this one, run: fieldroster migrate'
  );
}
