import { problemTexts } from '@fieldroster/contract/problems';
import { sql } from 'kysely';
import { ImportRowError } from '../../database.ts';
import type { Session } from '../session.ts';

/** @throws {ImportRowError} when a staged store is new, and its code has one of the texts */
export async function refuseNewCodes(
  { db }: Session,
  tenantId: bigint,
  texts: readonly string[],
): Promise<void> {
  if (texts.length === 0) return;
  // Unlike `like`, a replacement is exact on either engine, and treats no character as a pattern.
  const lacking = texts.map((text) => sql`replace(code, ${text}, '') = code`);
  const { rows } = await sql<{ line: bigint; code: string }>`
    select line, code from staged_store as staged where code like '%&%' and not (${sql.join(lacking, sql` and `)})
    and not exists (select 1 from store where tenant_id = ${tenantId} and store.code = staged.code)
    order by line limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return;
  const { line, code } = row;
  const text = texts.find((refused) => code.includes(refused)) ?? '';
  const message = problemTexts.joinedStoreCode({ field: 'the code', value: JSON.stringify(code), text });
  throw new ImportRowError(Number(line), 'code', message);
}
