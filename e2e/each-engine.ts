import { after, before, describe } from 'node:test';
import { openTestPostgres, type TestPostgres } from '../packages/server/test/test-postgres.ts';
import { type Provisioned, provisionDirectory } from './provision-directory.ts';

/** Makes a directory on the engine under test. */
export type Provision = (storeCount?: number) => Promise<Provisioned>;

/** Registers the same tests for both engines. */
export function describeOnEachEngine(
  register: (provision: Provision, engine: 'SQLite' | 'PostgreSQL') => void,
): void {
  describe('on SQLite', () => register((storeCount) => provisionDirectory(storeCount), 'SQLite'));
  describe('on PostgreSQL', () => {
    let postgres: TestPostgres;
    before(async () => {
      postgres = await openTestPostgres();
    });
    after(() => postgres.stop());
    const provision: Provision = async (storeCount) =>
      provisionDirectory(storeCount, await postgres.createMigratedDatabase());
    register(provision, 'PostgreSQL');
  });
}
