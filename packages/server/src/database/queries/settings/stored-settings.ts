import type { StoredSettings } from '../../stored-settings.ts';
import type { Session, Transact } from '../session.ts';

/** The values that a deployment stores about itself, on either engine. */
export class KyselyStoredSettings implements StoredSettings {
  readonly #reader: Session;
  readonly #transact: Transact;

  constructor(reader: Session, transact: Transact) {
    this.#reader = reader;
    this.#transact = transact;
  }

  read(name: string): Promise<string | undefined> {
    return readSetting(this.#reader, name);
  }

  keep(name: string, value: string): Promise<string> {
    return this.#transact(async (session) => {
      await session.db
        .insertInto('setting')
        .values({ name, value })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await selectValue(session, name).executeTakeFirstOrThrow()).value;
    });
  }
}

export async function readSetting(session: Session, name: string): Promise<string | undefined> {
  return (await selectValue(session, name).executeTakeFirst())?.value;
}

function selectValue({ db }: Session, name: string) {
  return db.selectFrom('setting').select('value').where('name', '=', name);
}
