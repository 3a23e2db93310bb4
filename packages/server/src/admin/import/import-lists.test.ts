import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { listRecords } from '../../../test/list-records.ts';
import { databaseFile } from '../../database/sqlite/open.ts';
import { type OpenDirectory, openDirectory } from '../open-directory.ts';
import { createTenant, requireTenant } from '../tenants.ts';
import { importOrgs, importRoles, importStores, type ListImport } from './import-lists.ts';

const folder = mkdtempSync(join(tmpdir(), 'fieldroster-import-'));
const opened: OpenDirectory[] = [];
let made = 0;

after(async () => {
  for (const { database } of opened) await database.close();
  rmSync(folder, { recursive: true });
});

/** Makes a directory for one test, with shortcuts to import and list. */
async function makeDirectory() {
  const data = join(folder, `data-${made++}`);
  const directory = await openDirectory({ data, environment: {} });
  opened.push(directory);
  const { importer } = directory.database;
  const tenantId = (await requireTenant(directory.database, 'default')).id;
  const load = { role: importRoles, org: importOrgs, store: importStores };
  return {
    data,
    directory,
    importText: (noun: keyof typeof load, content: string, options: Partial<ListImport> = {}) => {
      const request = { tenant: 'default', file: `${noun}s.csv`, records: listRecords(content) };
      return load[noun](directory, { ...request, ...options });
    },
    roles: () => all(importer.listRoles(tenantId)),
    orgs: () => all(importer.listOrgs(tenantId)),
    stores: (id = tenantId) => all(importer.listStores(id)),
  };
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const list: Row[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

type Directory = Awaited<ReturnType<typeof makeDirectory>>;

/** Expects the import to fail with a message that ends like this. */
function refused(promise: Promise<unknown>, message: string) {
  return assert.rejects(promise, (error: Error) => {
    assert.equal(error.name, 'AdminError');
    assert.equal(error.message, `${message}; nothing was imported`);
    return true;
  });
}

describe('an import of stores', () => {
  test('inserts new codes and updates existing ones, in any order of the columns', async () => {
    const { importText, stores } = await makeDirectory();
    assert.deepEqual(await importText('store', 'code,name,address\nA,Alpha,Road 1\nB,Beta,\n'), {
      inserted: 2,
      updated: 0,
      changed: 0,
    });
    assert.deepEqual(await importText('store', 'address,code,name\nRoad "2",B,Beta\n\n,C,Gamma'), {
      inserted: 1,
      updated: 1,
      changed: 1,
    });
    assert.deepEqual(await stores(), [
      { code: 'A', name: 'Alpha', address: 'Road 1' },
      { code: 'B', name: 'Beta', address: 'Road "2"' },
      { code: 'C', name: 'Gamma', address: '' },
    ]);
  });

  test('keeps the values of columns that the file lacks', async () => {
    const { importText, stores } = await makeDirectory();
    await importText('store', 'code,name,address\nA,Alpha,Road 1\n');
    await importText('store', 'code,name\nA,Renamed\nB,Beta\n');
    assert.deepEqual(await stores(), [
      { code: 'A', name: 'Renamed', address: 'Road 1' },
      { code: 'B', name: 'Beta', address: '' },
    ]);
  });

  for (const count of [31, 32, 33, 64, 65]) {
    test(`imports all of ${count} lines, whether or not they fill groups of 32`, async () => {
      const { importText, stores } = await makeDirectory();
      const rows = Array.from({ length: count }, (_, index) => ({
        code: `S${100 + index}`,
        name: `Store ${index}`,
        address: `${index} High Street`,
      }));
      const lines = rows.toReversed().map((row) => Object.values(row).join(','));
      const content = ['code,name,address', ...lines].join('\n');
      assert.deepEqual(await importText('store', content), { inserted: count, updated: 0, changed: 0 });
      assert.deepEqual(await stores(), rows);
      assert.deepEqual(await importText('store', content), { inserted: 0, updated: count, changed: 0 });
    });
  }

  test('names every mistake of the first wrong line, each with its column', async () => {
    const { importText, stores } = await makeDirectory();
    await refused(
      importText('store', `code,name,address\nA,Alpha,Road\nB\u0007,,${'x'.repeat(1001)}\n,,\n`),
      'stores.csv line 3: (1) column code: must not contain a control character; (2) column address: must have at most 1000 characters',
    );
    assert.deepEqual(await stores(), []);
  });

  test('refuses a new code that a query could not carry, and keeps an existing one usable', async () => {
    const { data, importText, stores } = await makeDirectory();
    await importText('store', 'code,name\nOLD,Old\nR&D=1,Allowed\n');
    const database = new DatabaseSync(join(data, databaseFile));
    database.exec("update store set code = 'X&user_id=5' where code = 'OLD'");
    database.close();
    const content = 'code,name\nX&user_id=5,Renamed\nA,Alpha\n%&force=,New\n';
    for (const report of [undefined, async () => {}]) {
      await refused(
        importText('store', content, { report }),
        'stores.csv line 4, column code: the code is "%&force="; a new code must not contain "&force=", which looks like the start of another query parameter: choose another code',
      );
    }
    await importText('store', 'code,name\nX&user_id=5,Renamed\n');
    assert.deepEqual(await stores(), [
      { code: 'R&D=1', name: 'Allowed', address: '' },
      { code: 'X&user_id=5', name: 'Renamed', address: '' },
    ]);
  });

  const badFiles: readonly (readonly [content: string, message: string])[] = [
    ['', 'stores.csv: is empty; its first line must be: code,name,address'],
    ['code,name,adress\n', 'stores.csv line 1, column adress: is unknown; the columns are code,name,address'],
    ['Code,name\n', 'stores.csv line 1, column Code: is unknown; the columns are code,name,address'],
    ['code,address\n', 'stores.csv line 1, column name: is missing from the header'],
    ['code,name,code\n', 'stores.csv line 1, column code: is in the header twice; remove one'],
    ['code,name\nA,Alpha\n,Beta\n', 'stores.csv line 3, column code: must not be empty'],
    ['code,name\nA,Alpha\n\n\nB,\n', 'stores.csv line 5, column name: must not be empty'],
    [
      'code,name\nA,Alpha\n\n B,Beta\n',
      'stores.csv line 4, column code: must not begin or end with white space',
    ],
    ['code,name\nA\t1,Alpha\n', 'stores.csv line 2, column code: must not contain a control character'],
    ['code,name\nA,Al\0pha\n', 'stores.csv line 2, column name: must not contain a NUL character'],
    [
      'code,name,address\nA,Alpha,#REF!\n',
      'stores.csv line 2, column address: is the error #REF!; correct the formula in the spreadsheet, or enter the value itself',
    ],
    [
      `code,name\n${'😀'.repeat(101)},Alpha\n`,
      'stores.csv line 2, column code: must have at most 100 characters',
    ],
    [`code,name\nA,${'n'.repeat(256)}\n`, 'stores.csv line 2, column name: must have at most 255 characters'],
    [
      'code,name\nB,Beta\nA,Alpha\nB,Again\nA,Again\n',
      'stores.csv line 4, column code: B is on line 2 already',
    ],
  ];

  for (const [content, message] of badFiles) {
    test(`imports nothing: ${message}`, async () => {
      const { importText, stores } = await makeDirectory();
      await refused(importText('store', content), message);
      assert.deepEqual(await stores(), []);
    });
  }

  test('counts characters, not bytes or halves of them', async () => {
    const { importText, stores } = await makeDirectory();
    await importText('store', `code,name\n${'😀'.repeat(100)},${'漢'.repeat(255)}\n`);
    assert.equal((await stores()).length, 1);
  });

  test('fills only the named tenant', async () => {
    const { directory, importText, stores } = await makeDirectory();
    const acme = await createTenant(directory, 'acme');
    await importText('store', 'code,name\nA,Of acme\n', { tenant: 'acme' });
    await importText('store', 'code,name\nA,Of default\n');
    assert.deepEqual(await stores(acme.id), [{ code: 'A', name: 'Of acme', address: '' }]);
    assert.deepEqual(await stores(), [{ code: 'A', name: 'Of default', address: '' }]);
    await assert.rejects(importText('store', 'code,name\n', { tenant: 'nobody' }), {
      name: 'UnknownTenantError',
    });
  });

  test('finds two lines with the same code, however far apart', async () => {
    const { importText, stores } = await makeDirectory();
    const rows = Array.from({ length: 30_000 }, (_, index) => `S${index},Store`);
    await refused(
      importText('store', ['code,name', ...rows, 'S7,Again'].join('\n')),
      'stores.csv line 30002, column code: S7 is on line 9 already',
    );
    assert.deepEqual(await stores(), []);
  });

  test('lists more than a page in the order of the codes', async () => {
    const { importText, stores } = await makeDirectory();
    const codes = Array.from(
      { length: 2500 },
      (_, index) => `S${String((index * 7919) % 2500).padStart(4, '0')}`,
    );
    await importText('store', ['code,name', ...codes.map((code) => `${code},Store`)].join('\n'));
    assert.deepEqual(
      (await stores()).map(({ code }) => code),
      codes.toSorted(),
    );
  });

  test('changes every column of a row at once', async () => {
    const { importText, stores } = await makeDirectory();
    await importText('store', 'code,name,address\nA,Alpha,Road 1\n');
    await importText('store', 'code,name,address\nA,Other,Road 2\n');
    assert.deepEqual(await stores(), [{ code: 'A', name: 'Other', address: 'Road 2' }]);
  });

  test('waits for another process that writes', async () => {
    const { data, importText } = await makeDirectory();
    const other = new DatabaseSync(join(data, databaseFile));
    other.exec('begin immediate');
    const imported = importText('store', 'code,name\nA,Alpha\n');
    let hasEnded = false;
    const ended = imported.finally(() => {
      hasEnded = true;
    });
    for (let iterations = 0; iterations < 200; iterations += 1) await nextIteration();
    assert.equal(hasEnded, false);
    other.exec('commit');
    other.close();
    assert.deepEqual(await ended, { inserted: 1, updated: 0, changed: 0 });
  });

  test('leaves an audit row that counts only changed rows as updated', async () => {
    const { data, importText } = await makeDirectory();
    await importText('store', 'code,name\nA,Alpha\nB,Beta\n');
    await importText('store', 'code,name\nA,Alpha\nB,Other\nC,Gamma\n');
    await importText('store', 'code,name\nA,Alpha\nB,Other\nC,Gamma\n');
    assert.deepEqual(auditOf(data, 'store import'), [
      '{"inserted":2,"updated":0,"unchanged":0}',
      '{"inserted":1,"updated":1,"unchanged":1}',
      '{"inserted":0,"updated":0,"unchanged":3}',
    ]);
  });
});

function auditOf(data: string, operation: string): unknown[] {
  const database = new DatabaseSync(join(data, databaseFile), { readOnly: true });
  const rows = database
    .prepare('select changes from audit_event where operation = ? order by id')
    .all(operation);
  database.close();
  return rows.map(({ changes }) => changes);
}

describe('an import of roles', () => {
  test('keeps every digit of its numbers and takes defaults', async () => {
    const { importText, roles } = await makeDirectory();
    const rows = [
      '9223372036854775807,Top,-9223372036854775808,-2147483648,Highest,TOP',
      '9007199254740993,Odd,,,,',
    ];
    await importText('role', ['id,name,system_id,order,description,code', ...rows].join('\n'));
    assert.deepEqual(await roles(), [
      { id: 9007199254740993n, name: 'Odd', systemId: 0n, position: 0, description: '' },
      {
        id: 9223372036854775807n,
        name: 'Top',
        systemId: -9223372036854775808n,
        position: -2147483648,
        description: 'Highest',
        code: 'TOP',
      },
    ]);
  });

  test('clears a code with an empty value on request, and keeps it without the column', async () => {
    const { importText, roles } = await makeDirectory();
    await importText('role', 'id,name,order,code\n1,One,4,ONE\n2,Two,5,TWO\n');
    await importText('role', 'id,name,code\n1,First,\n', { clearEmpty: true });
    await importText('role', 'id,name\n2,Second\n');
    assert.deepEqual(await roles(), [
      { id: 1n, name: 'First', systemId: 0n, position: 4, description: '' },
      { id: 2n, name: 'Second', systemId: 0n, position: 5, description: '', code: 'TWO' },
    ]);
  });

  test('assigns ids above all others, including those of the same file', async () => {
    const { importText, roles } = await makeDirectory();
    await importText('role', 'id,name\n7,Seven\n');
    const counts = await importText('role', 'id,name\n,First\n20,Twenty\n,Second\n');
    assert.deepEqual(counts, { inserted: 3, updated: 0, changed: 0, assignedIds: [21n, 22n] });
    assert.deepEqual(
      (await roles()).map(({ id, name }) => [id, name]),
      [
        [7n, 'Seven'],
        [20n, 'Twenty'],
        [21n, 'First'],
        [22n, 'Second'],
      ],
    );
  });

  test('assigns the smallest free ids when none is left above', async () => {
    const { importText } = await makeDirectory();
    await importText('role', 'id,name\n1,One\n3,Three\n9223372036854775806,Nearly\n');
    assert.deepEqual(await importText('role', 'id,name\n,A\n,B\n4,Four\n,C\n'), {
      inserted: 4,
      updated: 0,
      changed: 0,
      assignedIds: [2n, 5n, 6n],
    });
    assert.deepEqual(await importText('role', 'id,name\n,Last\n'), {
      inserted: 1,
      updated: 0,
      changed: 0,
      assignedIds: [9223372036854775807n],
    });
    assert.deepEqual(await importText('role', 'id,name\n,Again\n'), {
      inserted: 1,
      updated: 0,
      changed: 0,
      assignedIds: [7n],
    });
  });

  test('assigns every id if the list has none', async () => {
    const { importText } = await makeDirectory();
    await importText('role', 'id,name\n7,Seven\n');
    const counts = await importText('role', 'name,order\nBoss,1\nLeader,2\n');
    assert.deepEqual(counts, { inserted: 2, updated: 0, changed: 0, assignedIds: [8n, 9n] });
  });

  test('takes every code that the interface takes', async () => {
    const { importText, roles } = await makeDirectory();
    const codes = ['😀'.repeat(255), ' spaced ', 'two\rlines'];
    const rows = codes.map((code, index) => `${index + 1},Role,${code}`);
    await importText('role', `id,name,code\n${rows.join('\n')}\n`);
    assert.deepEqual(
      (await roles()).map(({ code }) => code),
      codes,
    );
    await refused(
      importText('role', `id,name,code\n9,Role,${'x'.repeat(256)}\n`),
      'roles.csv line 2, column code: must have at most 255 characters',
    );
  });

  const badRows: readonly (readonly [row: string, message: string])[] = [
    ['0,Zero,0,0', 'column id: is "0"; it must be a whole number from 1 to 9223372036854775807'],
    [
      '9223372036854775808,Big,0,0',
      'column id: is "9223372036854775808"; it must be a whole number from 1 to 9223372036854775807',
    ],
    ['1.5,Half,0,0', 'column id: is "1.5"; it must be a whole number from 1 to 9223372036854775807'],
    [
      '7\u200b,Seven,0,0',
      'column id: is "7\\u200b"; it must be a whole number from 1 to 9223372036854775807',
    ],
    [
      '1,One,x,0',
      'column system_id: is "x"; it must be a whole number from -9223372036854775808 to 9223372036854775807',
    ],
    [
      '1,One,0,2147483648',
      'column order: is "2147483648"; it must be a whole number from -2147483648 to 2147483647',
    ],
    ['5,Again,0,0', 'column id: 5 is on line 2 already'],
  ];

  for (const [row, message] of badRows) {
    test(`imports nothing: ${message} (${row})`, async () => {
      const { importText, roles } = await makeDirectory();
      await refused(
        importText('role', `id,name,system_id,order\n5,Five,0,0\n${row}\n`),
        `roles.csv line 3, ${message}`,
      );
      assert.deepEqual(await roles(), []);
    });
  }
});

test('simultaneous imports assign different ids', async () => {
  const { directory, roles } = await makeDirectory();
  const files = Array.from({ length: 4 }, (_, index) => `concurrent-${index}.csv`);
  await Promise.all(
    files.map((file) => {
      const records = listRecords(`id,name\n,Of ${file}\n,Too\n`);
      return importRoles(directory, { tenant: 'default', file, records });
    }),
  );
  assert.deepEqual(
    (await roles()).map(({ id }) => id),
    [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n],
  );
});

describe('an import of organizations', () => {
  async function withTree(): Promise<Directory> {
    const directory = await makeDirectory();
    await directory.importText('org', 'id,name,parent_id\n3,Team,2\n1,Root,\n2,Region,1\n');
    return directory;
  }

  test('takes parents from the file, in any order, and from the directory', async () => {
    const { importText, orgs } = await withTree();
    assert.deepEqual(
      await importText('org', 'id,name,parent_id\n9223372036854775807,New team,2\n4,Second root,0\n'),
      {
        inserted: 2,
        updated: 0,
        changed: 0,
      },
    );
    assert.deepEqual(await orgs(), [
      { id: 1n, name: 'Root' },
      { id: 2n, name: 'Region', parentId: 1n },
      { id: 3n, name: 'Team', parentId: 2n },
      { id: 4n, name: 'Second root' },
      { id: 9223372036854775807n, name: 'New team', parentId: 2n },
    ]);
  });

  test('moves an organization, makes it a root, and keeps its place without the column', async () => {
    const { importText, orgs } = await withTree();
    await importText('org', 'id,name,parent_id\n2,Region,0\n3,Team,1\n');
    await importText('org', 'id,name\n3,Renamed\n');
    assert.deepEqual(await orgs(), [
      { id: 1n, name: 'Root' },
      { id: 2n, name: 'Region' },
      { id: 3n, name: 'Renamed', parentId: 1n },
    ]);
  });

  const badFiles: readonly (readonly [rows: string, message: string])[] = [
    [
      '5,Lost,77',
      'line 2, column parent_id: there is no organization 77, neither in the file nor in the directory',
    ],
    ['5,Self,5', 'line 2, column parent_id: organization 5 would be above itself: 5 → 5'],
    [
      '5,Five,1\n6,Six,7\n7,Seven,6',
      'line 3, column parent_id: organization 6 would be above itself: 6 → 7 → 6',
    ],
    ['1,Root,3', 'line 2, column parent_id: organization 1 would be above itself: 1 → 3 → 2 → 1'],
    ['8,Below,2\n2,Region,3', 'line 3, column parent_id: organization 2 would be above itself: 2 → 3 → 2'],
    [
      '5,Five,-1',
      'line 2, column parent_id: is "-1"; it must be a whole number from 0 to 9223372036854775807',
    ],
    [
      ',Nameless,',
      'line 2, column id: is empty; give the organization an id: only a role may be imported without one',
    ],
  ];

  for (const [rows, message] of badFiles) {
    test(`imports nothing: ${message}`, async () => {
      const { importText, orgs } = await withTree();
      const before = await orgs();
      await refused(importText('org', `id,name,parent_id\n${rows}\n`), `orgs.csv ${message}`);
      assert.deepEqual(await orgs(), before);
    });
  }

  test('takes a tree of at most a hundred levels, also below organizations that the file only moves', async () => {
    const { importText } = await withTree();
    const chain = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => `${from + index},L,${index === 0 ? 0 : from + index - 1}`);
    await importText('org', `id,name,parent_id\n${chain(1001, 99).join('\n')}\n`);
    const problem = (parent: number) =>
      `column parent_id: below organization ${parent}, the tree would have more than 100 levels; choose a parent that is higher up`;
    await refused(
      importText('org', `id,name,parent_id\n${chain(2001, 101).join('\n')}\n`),
      `orgs.csv line 102, ${problem(2100)}`,
    );
    await refused(
      importText('org', 'id,name,parent_id\n3001,A,0\n3002,B,3001\n1001,L,3002\n'),
      `orgs.csv line 4, ${problem(3002)}`,
    );
    await importText('org', 'id,name,parent_id\n3001,A,0\n1001,L,3001\n');
  });

  test('is not stopped by a cycle that the file leaves alone, nor by a deep tree in which it moves nothing', async () => {
    const { data, importText, orgs } = await withTree();
    const insert = 'insert into org (tenant_id, id, name, parent_id) select id, ?, ?, ? from tenant';
    using database = new DatabaseSync(join(data, 'fieldroster.db'), { timeout: 30_000 });
    const add = (id: number, parent: number | null) => database.prepare(insert).run(id, 'L', parent);
    for (let id = 1001; id <= 1120; id += 1) add(id, id === 1001 ? null : id - 1);
    for (const id of [7, 8]) add(id, 15 - id);
    await importText('org', 'id,name,parent_id\n1120,Renamed,1119\n2,Moved,0\n');
    const names = (await orgs()).filter(({ id }) => id === 1120n || id === 2n).map(({ name }) => name);
    assert.deepEqual(names, ['Moved', 'Renamed']);
  });

  test('does not take a parent from another tenant', async () => {
    const { directory, importText } = await withTree();
    await createTenant(directory, 'acme');
    await refused(
      importText('org', 'id,name,parent_id\n5,Five,1\n', { tenant: 'acme' }),
      'orgs.csv line 2, column parent_id: there is no organization 1, neither in the file nor in the directory',
    );
  });
});
