import { sql } from 'kysely';
import { OperatorError } from '../../errors/operator-error.ts';
import { isMigrated } from '../migrations/migrate.ts';
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
export async function requireUtf8(session: Session, location: string): Promise<void> {
  const { rows } = await sql<{ encoding: string; ctype: string | null }>`
    select current_setting('server_encoding') as encoding,
      (select datctype from pg_database where datname = 'template0') as ctype`.execute(session.db);
  const { encoding = 'UTF8', ctype } = rows[0] ?? {};
  if (encoding === 'UTF8') return;
  throw new DatabaseEncodingError(
    `the database at ${location} has the encoding ${encoding} and cannot keep every character; create another one with: ` +
      `create database NAME encoding 'UTF8' ${ctype && !fitsUtf8(ctype) ? otherLocale : ''}template template0` +
      ((await isMigrated(session)) ? howToMove : ''),
  );
}

/** Returns whether PostgreSQL makes a database in UTF-8 with this locale. */
function fitsUtf8(ctype: string): boolean {
  return ['C', 'POSIX'].includes(ctype) || ctype.toLowerCase().replace('-', '').includes('utf8');
}

/** The new database would otherwise get the locale of its template. */
const otherLocale = "lc_collate 'C' lc_ctype 'C' ";

const howToMove =
  '; to move the directory of this one there, run fieldroster copy of the release that served it, before the upgrade';
