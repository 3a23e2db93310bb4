import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { listRecords } from '../../../test/list-records.ts';
import { openTestPostgres, patientDirectory, type TestPostgres } from '../../../test/test-postgres.ts';
import type { ImportChange } from '../../database/database.ts';
import { openDirectory } from '../open-directory.ts';
import { requireTenant } from '../tenants.ts';
import { importOrgs, importRoles, importStores, type ListImport } from './import-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-import-changes-'));
let postgres: TestPostgres;
let made = 0;

before(async () => {
  postgres = await openTestPostgres();
});

after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const load = { role: importRoles, org: importOrgs, store: importStores };
type Noun = keyof typeof load;

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

async function open(engine: string) {
  const data = join(folder, String(made++));
  const database =
    engine === 'PostgreSQL' ? { ...patientDirectory, database: await postgres.createMigratedDatabase() } : {};
  const directory = await openDirectory({ data, environment: {}, ...database });
  const { importer } = directory.database;
  const { id } = await requireTenant(directory.database, 'default');
  const importText = (noun: Noun, content: string, options: Partial<ListImport> = {}) => {
    const request = { tenant: 'default', file: `${noun}s.csv`, records: listRecords(content) };
    return load[noun](directory, { ...request, ...options });
  };
  const list = async () => ({
    roles: await all(importer.listRoles(id)),
    orgs: await all(importer.listOrgs(id)),
    stores: await all(importer.listStores(id)),
  });
  return { directory, tenantId: id, importText, list };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Returns what a dry run reports, after checking that it changed nothing and left no audit row. */
async function tryOut(opened: Opened, noun: Noun, content: string, clearEmpty = false) {
  const state = async () => [await opened.list(), await countAudit(opened)];
  const before = await state();
  const changes: ImportChange[] = [];
  const report = async (group: readonly ImportChange[]) => {
    changes.push(...group);
  };
  const counts = await opened.importText(noun, content, { report, clearEmpty });
  assert.deepEqual(await state(), before);
  return { counts, changes };
}

async function countAudit({ directory, tenantId }: Opened): Promise<number> {
  const { lists } = directory.database.directory(tenantId);
  const request = { after: undefined, limit: 100, filters: {} };
  return (await lists.listAuditEvents(request)).entries.length;
}

for (const engine of ['SQLite', 'PostgreSQL']) {
  describe(`an import of a list, on ${engine}`, () => {
    let opened: Opened;
    before(async () => {
      opened = await open(engine);
      await opened.importText('role', 'id,name,system_id,order,description,code\n1,One,7,4,First,ONE\n');
      await opened.importText('org', 'id,name,parent_id\n1,Root,\n2,Region,1\n');
      await opened.importText('store', 'code,name,address\nA,Alpha,Road 1\nB,Beta,\n');
    });
    after(() => opened.directory.database.close());

    test('keeps every value whose cell is empty', async () => {
      const before = await opened.list();
      await opened.importText('role', 'id,name,system_id,order,description,code\n1,,,,,\n');
      await opened.importText('org', 'id,name,parent_id\n2,,\n');
      await opened.importText('store', 'code,name,address\nA,,\n');
      assert.deepEqual(await opened.list(), before);
    });

    test('takes defaults for the empty cells of a new row, but refuses a new row without a name', async () => {
      await opened.importText('role', 'id,name,system_id,order,description,code\n2,Two,,,,\n');
      assert.deepEqual((await opened.list()).roles[1], {
        ...{ id: 2n, name: 'Two', systemId: 0n, position: 0, description: '' },
      });
      for (const noun of ['role', 'org', 'store'] as const) {
        const column = noun === 'store' ? 'code' : 'id';
        await assert.rejects(opened.importText(noun, `${column},name\n1,Known\n77,\n`), {
          message: /line 3, column name: must not be empty; nothing was imported$/,
        });
      }
    });

    test('reports each new and each changed row without changing anything', async () => {
      const stores = await tryOut(opened, 'store', 'code,name,address\nC,Gamma,\nB,Beta,\nA,Other,\n');
      assert.deepEqual(stores, {
        counts: { inserted: 1, updated: 2, changed: 1 },
        changes: [
          { line: 2, key: 'C', outcome: 'created', fields: [{ field: 'name', from: '', to: 'Gamma' }] },
          { line: 4, key: 'A', outcome: 'updated', fields: [{ field: 'name', from: 'Alpha', to: 'Other' }] },
        ],
      });
      const orgs = await tryOut(opened, 'org', 'id,name,parent_id\n9007199254740993,Big,2\n2,Region,0\n');
      assert.deepEqual(orgs.changes, [
        {
          ...{ line: 2, key: '9007199254740993', outcome: 'created' },
          fields: [
            { field: 'name', from: '', to: 'Big' },
            { field: 'parent_id', from: '', to: '2' },
          ],
        },
        { line: 3, key: '2', outcome: 'updated', fields: [{ field: 'parent_id', from: '1', to: '' }] },
      ]);
    });

    test('reports what an empty cell would clear, and clears exactly that', async () => {
      const content = 'id,name,system_id,order,description,code\n1,One,,5,,\n,New,,,,NEW\n';
      const { changes } = await tryOut(opened, 'role', content, true);
      assert.deepEqual(changes, [
        {
          ...{ line: 2, key: '1', outcome: 'updated' },
          fields: [
            { field: 'system_id', from: '7', to: '0' },
            { field: 'order', from: '4', to: '5' },
            { field: 'description', from: 'First', to: '' },
            { field: 'code', from: 'ONE', to: '' },
          ],
        },
        {
          ...{ line: 3, key: '3', outcome: 'created' },
          fields: [
            { field: 'name', from: '', to: 'New' },
            { field: 'code', from: '', to: 'NEW' },
          ],
        },
      ]);
      await opened.importText('role', content, { clearEmpty: true });
      const { roles } = await opened.list();
      assert.deepEqual(roles[0], { id: 1n, name: 'One', systemId: 0n, position: 5, description: '' });
      assert.deepEqual((await tryOut(opened, 'role', content.replace(',New', '3,New'), true)).changes, []);
      await assert.rejects(opened.importText('store', 'code,name\nA,\n', { clearEmpty: true }), {
        message: /line 2, column name: must not be empty/,
      });
    });

    test('refuses in a dry run what a real import would refuse', async () => {
      for (const [rows, message] of [
        ['2,Region,2', /line 2, column parent_id: organization 2 would be above itself: 2 → 2/],
        ['5,Five,6\n6,Six,5', /line 2, column parent_id: organization 5 would be above itself: 5 → 6 → 5/],
        ['5,Five,77', /line 2, column parent_id: there is no organization 77/],
        ['5,Five,1\n5,Again,1', /line 3, column id: 5 is on line 2 already/],
      ] as const) {
        await assert.rejects(tryOut(opened, 'org', `id,name,parent_id\n${rows}\n`), { message });
      }
    });

    test('lets others write while a dry run reports, and reports thousands of rows by line', async () => {
      const codes = Array.from({ length: 2500 }, (_, index) => `Z${(index * 7919) % 2500}`);
      const content = ['code,name', ...codes.map((code) => `${code},New`)].join('\n');
      const seen: ImportChange[] = [];
      await opened.importText('store', content, {
        async report(changes) {
          seen.push(...changes);
          await opened.importText('role', `id,name\n50,Written ${seen.length}\n`);
        },
      });
      assert.deepEqual(
        seen.map(({ key }) => key),
        codes,
      );
      const written = (await opened.list()).roles.find(({ id }) => id === 50n);
      assert.equal(written?.name, 'Written 2500');
    });
  });
}
