import { sql } from 'kysely';
import { OperatorError } from '../../operator-error.ts';
import type { Session } from '../queries/session.ts';

/** The encoding of the database lacks some characters. */
export class DatabaseEncodingError extends OperatorError {
  override readonly name = 'DatabaseEncodingError';
}

/**
 * Checks that the database can keep every character. PostgreSQL refuses what its encoding lacks only when it is
 * written, and in SQL_ASCII it counts bytes.
 *
 * @param location what the message calls the database
 * @throws {DatabaseEncodingError} when it has another encoding
 */
export async function requireUtf8({ db }: Pick<Session, 'db'>, location: string): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(db);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new DatabaseEncodingError(
    `the database at ${location} has the encoding ${encoding} and cannot keep every character; create another one with: ` +
      "create database NAME encoding 'UTF8' template template0, and add a locale if PostgreSQL asks for one; move a " +
      'directory into it with: fieldroster copy',
  );
}
