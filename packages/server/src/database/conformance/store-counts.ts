import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newTenantWithTargets, save } from './saved-users.ts';
import { type Subject, writeTo } from './subject.ts';

/** Tests counting the stores of many users, and reading users without their stores, on any engine. */
export function testStoreCounts(subject: Subject): void {
  test('the stores of users are counted up to one more than a limit, and read only for those asked for', async () => {
    const tenant = await newTenantWithTargets(subject);
    const { database } = subject.under;
    await writeTo(database, tenant, ({ users }) =>
      users.saveUsers([
        save('none'),
        save('two', { storesAdded: ['A', 'B'] }),
        save('four', { storesAdded: ['A', 'B', 'C', 'D'] }),
      ]),
    );
    const other = await newTenantWithTargets(subject);
    await writeTo(database, other, ({ users }) => users.saveUsers([save('two', { storesAdded: ['A'] })]));
    const names = ['none', 'two', 'nobody', 'four'];
    const counts = (most: number) => database.directory(tenant).users.countStores(names, most);
    const [none, two] = [['none', 0] as const, ['two', 2] as const];
    assert.deepEqual(await counts(2), new Map([none, two, ['four', 3]]));
    assert.deepEqual(await counts(9), new Map([none, two, ['four', 4]]));
    const states = await database.directory(tenant).users.readStates(names, new Set(['two']));
    assert.deepEqual(
      new Map([...states].map(([username, { storeCodes }]) => [username, storeCodes])),
      new Map([
        ['none', []],
        ['two', ['A', 'B']],
        ['four', []],
      ]),
    );
  });
}
