import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Session } from '../kysely/session.ts';
import { initial } from './001-initial.ts';

type Step = (db: Kysely<unknown>, engine: Session['engine']['name']) => Promise<void>;

/** Every change of the tables, in order. A migration that was released is never edited; a new one follows. */
const steps: Record<string, Step> = {
  '001-initial': initial,
};

/**
 * Brings the tables to this release.
 */
export async function migrate({ db, engine }: Session): Promise<void> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      name,
      { up: (transaction: Kysely<unknown>) => step(transaction, engine.name) },
    ]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
