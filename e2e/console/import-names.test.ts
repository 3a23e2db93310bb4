import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';
import { chooseFile, openImport } from './import-file.ts';
import { countKeptImports } from './kept-imports.ts';

describe('importing users by the names of roles and organizations in the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.change('POST', '/tenants/1/org', { id: 30, name: 'Harbour team', parent_id: 20 });
  });

  after(() => opened?.close());

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name });
  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });
  const becomes = (column: string) =>
    opened.page.getByRole('combobox', { name: `Becomes: ${column}`, exact: true });

  async function choose(name: string, lines: readonly string[]): Promise<void> {
    await openImport(opened);
    await chooseFile(opened.page, name, lines.join('\n'));
  }

  async function bindingsOf(username: string): Promise<unknown[]> {
    const answer = await opened.page.request.get(
      `${opened.origin}/console/api/tenants/1/user?username=${username}`,
    );
    const { code, data } = (await answer.json()) as {
      code: number;
      data: Record<'roles' | 'orgs', { id: number }[]>;
    };
    return code === 0 ? [data.roles[0]?.id, data.orgs[0]?.id] : [code];
  }

  const staff = [
    'Username,Role name,Organization',
    'by.name,SALES representative,Lakes team',
    'by.path,team leader,North region / Harbour team',
    'mara.okafor,Regional manager,South region',
    'by.id,2,20',
    'no.role,Boss,Lakes team',
    'no.org,1,West region',
    'two.orgs,1,harbour TEAM',
  ];

  test('the preview shows the role and organization that each row names, and the import sets exactly these', async () => {
    const { page } = opened;
    await choose('staff.csv', staff);
    await becomes('Role name').waitFor();
    assert.equal(await becomes('Role name').inputValue(), 'Role (name or ID)');
    assert.equal(await becomes('Organization').inputValue(), 'Organization (name or ID)');
    await button('Show what would change').click();
    await row('by.name')
      .getByText('Role: Sales representative (1) · Organization: North region › Lakes team (12)')
      .waitFor();
    await row('by.path')
      .getByText('Role: Team leader (2) · Organization: North region › Harbour team (13)')
      .waitFor();
    await row('mara.okafor')
      .getByText('Role: Sales representative (1) → Regional manager (3) · Organization: ')
      .waitFor();
    await row('by.id').getByText('Role: Team leader (2) · Organization: South region (20)').waitFor();
    await page.getByText('3 invalid rows will be skipped.').waitFor();
    await row('no.role')
      .getByText(
        'No role is called "Boss"; enter the name of a role, or its ID. Each role’s ID is on the page “Roles”.',
      )
      .waitFor();
    await row('no.org')
      .getByText('No organization is called "West region"; enter the name of an organization, its path, ')
      .waitFor();
    await row('two.orgs')
      .getByText(
        '2 organizations are called "harbour TEAM"; enter the ID or the path of one: 13 (Harbour Foods / North region / Harbour team), 30 (Harbour Foods / South region / Harbour team)',
      )
      .waitFor();
    await opened.requireAccessible();
    await row('no.org').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Show all organizations' }).waitFor();
    await page.keyboard.press('Escape');
    await button('Import 4 users').click();
    await page.getByText('4 users imported; 3 rows were skipped').waitFor();
    await page.getByText('All 7').click();
    await row('by.path').getByText('Role: Team leader (2) · Organization: ').waitFor();
    assert.deepEqual(await bindingsOf('by.name'), [1, 12]);
    assert.deepEqual(await bindingsOf('by.path'), [2, 13]);
    assert.deepEqual(await bindingsOf('mara.okafor'), [3, 20]);
    assert.deepEqual(await bindingsOf('by.id'), [2, 20]);
    for (const username of ['no.role', 'no.org', 'two.orgs'])
      assert.deepEqual(await bindingsOf(username), [1101], username);
  });

  test('an organization that gets the same name after the preview changes nothing, even if the page is reloaded', async () => {
    const { page } = opened;
    await choose('late.csv', ['username,org name', 'late.one,Islands team']);
    await button('Show what would change').click();
    await row('late.one').getByText('Organization: South region › Islands team (23)').waitFor();
    await opened.change('POST', '/tenants/1/org', { id: 31, name: 'Islands team', parent_id: 10 });
    // The server never gets the first request; the page waits for its answer until it is closed.
    await page.route('**/users/batch', () => {}, { times: 1 });
    await Promise.all([page.waitForRequest('**/users/batch'), button('Import 1 user').click()]);
    await page.reload();
    await page.getByText('The import is complete').waitFor();
    await page.unroute('**/users/batch');
    assert.deepEqual(await bindingsOf('late.one'), [undefined, 23]);
    const [jobs] = await countKeptImports(page);
    assert.equal(jobs, 1, 'what the names stood for is not kept any longer');
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });

  test('a new preview looks up the names again, although the page read the list a moment ago', async () => {
    const { page } = opened;
    await choose('later.csv', ['username,org name', 'later.one,Hills team']);
    await button('Show what would change').click();
    await row('later.one').getByText('Organization: South region › Hills team (21)').waitFor();
    await opened.change('POST', '/tenants/1/org', { id: 32, name: 'Hills team', parent_id: 10 });
    await button('Back').click();
    await button('Show what would change').click();
    await row('later.one').getByText('2 organizations are called "Hills team"').waitFor();
    await page.getByText('1 invalid row will be skipped.').waitFor();
  });

  test('a file with the columns of an export is imported by its ids, and its names are left out', async () => {
    await choose('export.csv', [
      'username,role_id,org_id,role_name,org_name',
      'mara.okafor,3,20,Regional manager,South region',
      'twice.named,2,30,Team leader,Harbour team',
    ]);
    await becomes('role_name').waitFor();
    assert.equal(await becomes('role_id').inputValue(), 'Role (name or ID)');
    assert.equal(await becomes('role_name').inputValue(), 'Role name, if no ID');
    assert.equal(await becomes('org_name').inputValue(), 'Organization name, if no ID');
    await button('Show what would change').click();
    await row('mara.okafor').getByText('Unchanged').waitFor();
    await row('twice.named').getByText('Organization: South region › Harbour team (30)').waitFor();
  });

  test('a name corrected beside its old id is told, and one beside an empty id is taken', async () => {
    await choose('corrected.csv', [
      'username,role_id,role_name,org_id,org_name',
      'mara.okafor,3,Team leader,20,South region',
      'by.correction,,Team leader,20,Lakes team',
      'beside.nothing,,Team leader,,Lakes team',
    ]);
    await button('Show what would change').click();
    await row('mara.okafor')
      .getByText('the id of the role is 3, but "Team leader" is the name of 2; correct the id or the name, ')
      .waitFor();
    await row('by.correction')
      .getByText('"Lakes team" is the name of 12 (Harbour Foods / North region / Lakes team); ')
      .waitFor();
    await button('Import 1 user').click();
    await opened.page.getByText('1 user imported; 2 rows were skipped').waitFor();
    assert.deepEqual(await bindingsOf('beside.nothing'), [2, 12]);
    assert.deepEqual(await bindingsOf('by.correction'), [1101]);
  });

  test('a long list or file whose requests come faster than the server lets them is read to its end', async () => {
    const { page } = opened;
    await choose('limited.csv', ['username,org name', 'limited.one,Lakes team']);
    const refused = new Set<string>();
    const parts = /\/tenants\/1\/(?:orgs\?|users\/batch$)/;
    await page.route(parts, async (route) => {
      const { 0: part = '' } = parts.exec(route.request().url()) ?? [];
      if (refused.has(part)) return route.continue();
      refused.add(part);
      const problem = { key: 'manyCalls', values: { perSecond: 100 } };
      return route.fulfill({ status: 429, json: { code: 1429, message: 'too many calls', problem } });
    });
    await button('Show what would change').click();
    await row('limited.one').getByText('Organization: North region › Lakes team (12)').waitFor();
    await page.unroute(parts);
    assert.equal(refused.size, 2);
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource.* 429 /);
  });

  test('while the lists of roles and organizations are read, the preview says so', async () => {
    const { page } = opened;
    await choose('slow.csv', ['username,org name', 'slow.one,Lakes team']);
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/tenants/1/orgs?**', async (route) => {
      await asked;
      await route.continue();
    });
    await button('Show what would change').click();
    await page.getByRole('status').getByText('Reading the file and the directory').waitFor();
    answer();
    await row('slow.one').getByText('Organization: North region › Lakes team (12)').waitFor();
    await page.unroute('**/api/tenants/1/orgs?**');
  });
});
