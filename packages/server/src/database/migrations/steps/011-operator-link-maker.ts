import type { Kysely } from 'kysely';
import type { Engine } from '../../queries/session.ts';
import { columnTypesOf } from './column-types.ts';

/** Adds who made a link, which ends with that operator's access. */
export async function addOperatorLinkMaker(db: Kysely<unknown>, engine: Engine['name']): Promise<void> {
  await db.schema.alterTable('operator_link').addColumn('made_by', columnTypesOf(engine).int64).execute();
}
