import { textOf } from '../config/setting-option.ts';

type Flag = string | boolean | undefined;

/** The flags that select a database. */
interface DatabaseFlags {
  readonly data?: Flag;
  readonly config?: Flag;
  readonly database?: Flag;
}

/**
 * Returns a command on the database that flags select, for a POSIX shell. The reader has the same variables and the same
 * file, but not the flags. The word URL replaces the URL of a database, which may contain a password.
 *
 * @param more further flags by their names
 */
export function commandOn(
  { data, config, database }: DatabaseFlags,
  command: string,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const flags = {
    data: textOf(data),
    config: textOf(config),
    database: textOf(database) && 'URL',
    ...more,
  };
  const given = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteForShell(value)}`],
  );
  return [`fieldroster ${command}`, ...given].join(' ');
}

/** Quotes a word for a POSIX shell, unless it needs no quotes. */
function quoteForShell(word: string): string {
  return /^[\w./:[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
