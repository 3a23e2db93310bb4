import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Subject } from './subject.ts';

export function testTenants(subject: Subject): void {
  const tenants = () => subject.under.database.tenants;

  test('a tenant is inserted once, found by its name and listed', async () => {
    const name = `Tenant 🦜 ${randomUUID()}`;
    const tenant = await tenants().insertTenant(name);
    assert.deepEqual(tenant, { id: tenant?.id, name, createdAtMs: subject.clock.nowMs });
    assert.equal(await tenants().insertTenant(name), undefined);
    assert.deepEqual(await tenants().findTenant(name), tenant);
    assert.equal(await tenants().findTenant('unknown'), undefined);
    const listed = await tenants().listTenants();
    assert.deepEqual(
      listed.filter((each) => each.name === name),
      [tenant],
    );
  });

  test('of two tenants whose names look the same, one is inserted, even at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const name = `Café ${randomUUID()}`;
      const twins = [name.normalize('NFC'), name.normalize('NFD')];
      const inserted = await Promise.all(twins.map((twin) => tenants().insertTenant(twin)));
      assert.equal(inserted.filter((tenant) => tenant !== undefined).length, 1, `round ${round}`);
      const listed = (await tenants().listTenants()).map((tenant) => tenant.name);
      assert.equal(listed.filter((listedName) => twins.includes(listedName)).length, 1);
    }
  });
}
