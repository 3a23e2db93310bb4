import type { Schema } from './schema.ts';
import type { Session } from './session.ts';

type CounterName = Schema['counter']['name'];

type Db = Pick<Session, 'db'>;

export async function readCounter({ db }: Db, name: CounterName): Promise<bigint> {
  const { value } = await db
    .selectFrom('counter')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return value;
}

/** Reads a counter, and keeps others from changing it until this transaction ends. */
export async function lockCounter({ db }: Db, name: CounterName): Promise<bigint> {
  const { value } = await db
    .updateTable('counter')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirstOrThrow();
  return value;
}

export async function setCounter({ db }: Db, name: CounterName, value: bigint): Promise<void> {
  await db.updateTable('counter').set({ value }).where('name', '=', name).execute();
}

/** Sets a counter, unless it has this value or a higher one. */
export async function raiseCounter({ db }: Db, name: CounterName, value: bigint): Promise<void> {
  await db
    .updateTable('counter')
    .set({ value })
    .where('name', '=', name)
    .where('value', '<', value)
    .execute();
}
