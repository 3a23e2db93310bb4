import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether a column matches a pattern in which `%` stands for any text. SQLite ignores the case of ASCII letters.
 *
 * @param pattern texts in it are escaped by {@link escapeLike}
 */
export function like(column: string, pattern: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '!'`;
}

/** Escapes the characters that have a meaning in a pattern. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&');
}
