import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { escapeLike, like } from '../like.ts';
import type { Session } from '../session.ts';

/** Everything about a person that a failed call may show. */
export interface PersonInCalls {
  readonly username: string;
  readonly userIds: readonly bigint[];
}

/**
 * Removes the texts of failed calls that show a person; that a call failed, when, and with which code stays.
 *
 * @param subject left out for all failed calls, when only ids of persons are known
 * @returns the number of calls
 */
export async function eraseFailedCalls({ db }: Session, subject?: PersonInCalls): Promise<number> {
  const query = db
    .updateTable('failed_call')
    .set({ target: '', message: '', cause: null, strings_to_sign: null })
    .where('target', '!=', '');
  const { numUpdatedRows } = await (subject === undefined
    ? query
    : query.where(shows(subject))
  ).executeTakeFirst();
  return Number(numUpdatedRows);
}

function shows({ username, userIds }: PersonInCalls): RawBuilder<SqlBool> {
  const forms = new Set([
    username,
    encodeURIComponent(username),
    encodeURIComponent(username).replaceAll('%20', '+'),
  ]);
  const named = [...forms].flatMap((form) =>
    ['target', 'message', 'strings_to_sign'].map((column) => like(column, `%${escapeLike(form)}%`)),
  );
  const numbered = userIds.flatMap((id) => [like('target', `%id=${id}`), like('target', `%id=${id}&%`)]);
  return sql<SqlBool>`(${sql.join([...named, ...numbered], sql` or `)})`;
}
