import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { consoleLimits } from '@fieldroster/contract/console-limits';
import { lab as labEn } from '../../packages/console/src/i18n/en/lab.ts';
import { lab as labZh } from '../../packages/console/src/i18n/zh/lab.ts';
import { consoleViews, makeCalls, makeLinks } from '../../scripts/console-shots/console-views.ts';
import { SignedClient } from '../signed-client.ts';
import { ConsolePage, ownerPassword } from './console-page.ts';
import { createAccount } from './create-account.ts';

describe('the console on narrow screens', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await makeCalls(opened);
    await makeLinks(opened);
  });

  after(() => opened?.close());

  /** Waits until elements that observe their own width have followed, and a drawer has opened. */
  async function setWidth(width: number): Promise<void> {
    await opened.page.setViewportSize({ width, height: 844 });
    await opened.settled();
  }

  for (const [language, lab] of [
    ['en', labEn],
    ['zh', labZh],
  ] as const) {
    test(`no page is wider than the screen, and nothing on it is cut (${language})`, async () => {
      const { page } = opened;
      await page.evaluate(`localStorage.setItem('fieldroster-language', '${language}')`);
      // The console reads the language when it loads.
      await opened.goTo('lab');
      for (const { name, path, prepare } of consoleViews) {
        await page.setViewportSize({ width: 390, height: 844 });
        // Between two views, so that neither passes for the other.
        const between = page.getByRole('main').getByText(lab.title, { exact: true }).first();
        await opened.follow('lab');
        await between.waitFor();
        await page.getByRole('dialog').first().waitFor({ state: 'detached' });
        if (path !== 'lab') {
          await opened.follow(path);
          await between.waitFor({ state: 'detached' });
        }
        await page.getByRole('heading').first().waitFor();
        if (/^(users|stores)\/./.test(path))
          await page.getByRole('dialog').getByRole('heading').first().waitFor();
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        await prepare?.(page);
        for (const width of [390, 360, 768]) {
          await setWidth(width);
          assert.deepEqual(await page.evaluate(cutElements), [], `${name}, ${width} pixels wide`);
        }
      }
    });
  }

  test('an import fits, from its columns to its result', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('import?of=stores');
    const lines = [
      'Code of the store,Name,Address in full',
      `N-001,New name,${'A long street '.repeat(20)}`,
      ',,x',
    ];
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose file' }).click();
    const buffer = Buffer.from(lines.join('\n'));
    await (await chosen).setFiles({ name: 'stores-of-a-long-name.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('combobox', { name: 'Becomes: Code of the store' }).click();
    await page.getByRole('option', { name: 'Code' }).click();
    await opened.settled();
    assert.deepEqual(await page.evaluate(cutElements), []);
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByText('Code is missing').waitFor();
    await opened.settled();
    assert.deepEqual(await page.evaluate(cutElements), []);
    await page.getByRole('button', { name: 'Import 1 store' }).click();
    await page.getByText('1 store imported; 1 row was skipped').waitFor();
    await opened.settled();
    assert.deepEqual(await page.evaluate(cutElements), []);
  });

  test('a phone is asked to choose a file, because nothing can be dropped there', async () => {
    const { page } = opened;
    const viewport = { width: 390, height: 844 };
    const phone = await page.context().browser()?.newContext({ hasTouch: true, isMobile: true, viewport });
    assert(phone !== undefined);
    await phone.addCookies(await page.context().cookies());
    const touched = await phone.newPage();
    await touched.goto(`${opened.origin}/console/t/1/import`);
    await touched.getByText('Choose a CSV file or a workbook').waitFor();
    assert.equal(await touched.getByText(/^Drop/).count(), 0);
    await phone.close();
  });

  test('nothing that scrolls below the bar with the next step shines through it', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 600 });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('import?of=roles');
    const again = page.getByRole('button', { name: 'Import another file' });
    const choose = page.getByRole('button', { name: 'Choose file' });
    await again.or(choose).first().waitFor();
    if (await again.isVisible()) await again.click();
    const chosen = page.waitForEvent('filechooser');
    await choose.click();
    const buffer = Buffer.from('ID,Name,Code,Description,Position\n,Clerk,CLERK,Writes,1');
    await (await chosen).setFiles({ name: 'roles.csv', mimeType: 'text/csv', buffer });
    const button = page.getByRole('button', { name: 'Show what would change' });
    await button.waitFor();
    await opened.settled();
    const pictures = new Set<string>();
    for (let top = 0; top <= 200; top += 20) {
      await page.evaluate(`document.querySelector('main').scrollTop = ${top}`);
      const box = await button.boundingBox();
      assert(box !== null);
      const clip = { x: box.x + box.width, y: box.y, width: 370 - box.x - box.width, height: box.height };
      pictures.add((await page.screenshot({ clip })).toString('base64'));
    }
    assert.equal(pictures.size, 1);
    await page.getByRole('button', { name: 'Choose another file' }).click();
  });

  test('in a row of an import, no separator stands without a value after it', async () => {
    const { page } = opened;
    await opened.change('POST', '/tenants/1/store', { code: 'SAME-1', name: 'Same name', address: 'Here' });
    await page.setViewportSize({ width: 360, height: 844 });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('import?of=stores');
    const again = page.getByRole('button', { name: 'Import another file' });
    await again
      .or(page.getByRole('button', { name: 'Choose file' }))
      .first()
      .waitFor();
    if (await again.isVisible()) await again.click();
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose file' }).click();
    const lines = [
      'Code,Name,Address',
      'SAME-1,Same name,Here',
      `N-002,Other,${'A long street '.repeat(20)}`,
      ',,x',
    ];
    const buffer = Buffer.from(lines.join('\n'));
    await (await chosen).setFiles({ name: 'stores.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByText('Code is missing').waitFor();
    await opened.settled();
    const shown: readonly string[] = await page.evaluate(separated);
    assert.equal(shown.length, 3);
    assert.match(shown[0] ?? '', /^Line: 2$/);
    assert.match(shown[1] ?? '', /^Line: 3 · Name: /);
    assert.match(shown[2] ?? '', /^Line: 4 · /);
    await page.getByRole('button', { name: 'Choose another file' }).click();
  });

  test('the actions for selected users take one line, with a menu', async () => {
    const { page } = opened;
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('users');
    await page.getByRole('checkbox', { name: 'Select Mara Okafor' }).check();
    const bar = page.getByRole('region', { name: 'Selected users' });
    await bar.getByText('1 selected').waitFor();
    for (const width of [1280, 1024, 768, 390, 360]) {
      await setWidth(width);
      const box = await bar.boundingBox();
      assert(box !== null && box.height < 56, `${box?.height} pixels high, ${width} pixels wide`);
      assert.deepEqual(await page.evaluate(cutElements), []);
    }
    await bar.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('menuitem', { name: 'Assign store…', exact: true }).waitFor();
    await opened.requireAccessible();
    await page.getByRole('menuitem', { name: 'Set role…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set the role of 1 user' });
    await dialog.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Team leader' }).click();
    await dialog.getByText('1 user will change').waitFor();
    await opened.settled();
    const field = await dialog.getByRole('combobox').boundingBox();
    const button = await dialog.getByRole('button', { name: 'Set the role of 1 user' }).boundingBox();
    assert(field !== null && button !== null);
    assert(button.y > field.y);
    assert.equal(Math.round(button.x + button.width), Math.round(field.x + field.width), 'at the right edge');
  });

  for (const [path, name, value] of [
    ['users?missing=org', 'Missing', 'No organization'],
    ['requests?code=1013', 'Code', '1013 unknown or inactive application'],
    ['requests?code=1011', 'Code', '1011 signing headers missing or malformed'],
  ] as const)
    test(`a filter shows its whole value, also on a phone: ${value}`, async () => {
      const { page } = opened;
      await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
      await opened.goTo(path);
      const filter = page.getByRole('combobox', { name });
      for (const width of [360, 390, 1024, 1280]) {
        await setWidth(width);
        assert.equal(await filter.inputValue(), value);
        const room: number = await page.evaluate(
          `(${roomBehindValue})(document.querySelector('input[aria-label="${name}"]'))`,
        );
        assert(room >= 0, `${room} pixels beside the value, ${width} pixels wide`);
        assert.deepEqual(await page.evaluate(cutElements), []);
      }
    });

  for (const [path, first] of [
    ['users', 'Search users'],
    ['users?missing=store', 'Search users'],
    ['users?missing=org&status=disabled', 'Search users'],
    ['users?missing=role&changed=1', 'Search users'],
    ['requests', 'Request ID'],
    ['audit', 'User'],
    ['audit?operation=bind-user-store', 'User'],
  ] as const)
    test(`the filters fill each line on a phone, and Tab follows their visible order: ${path}`, async () => {
      const { page } = opened;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
      await opened.goTo(path);
      await page.locator('main').getByLabel(first, { exact: true }).first().waitFor();
      await opened.settled();
      const places: readonly Area[] = await page.evaluate(placesOfFilters);
      for (const line of Map.groupBy(places, ({ top }) => Math.round(top)).values()) {
        const width = line.reduce((sum, one) => sum + one.right - one.left, 0);
        assert.equal(Math.round(width + 8 * (line.length - 1)), 358, `a hole beside ${line[0]?.name}`);
      }
      const seen = places.toSorted((a, b) => a.top - b.top || a.left - b.left);
      assert.deepEqual(seen, places);
    });

  test('a phone shows the search field and a button, which opens and closes the other filters and counts those in use', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('users');
    const role = page.getByRole('combobox', { name: 'Role' });
    await page.getByRole('searchbox').waitFor();
    assert(!(await role.isVisible()));
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await role.click();
    await page.getByRole('option', { name: 'Team leader' }).click();
    const toggle = page.getByRole('button', { name: /^Filters/ });
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await role.waitFor({ state: 'hidden' });
    await page.reload();
    await role.waitFor();
    assert.equal(await toggle.getAttribute('aria-expanded'), 'true');
    await opened.requireAccessible();
    await page.setViewportSize({ width: 1280, height: 800 });
    await toggle.waitFor({ state: 'hidden' });
    await role.waitFor();
  });

  test('a filter that a link brought to a phone can be emptied and filled again, and keeps the focus', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('audit?store=S-001');
    const store = page.getByRole('textbox', { name: 'Store code' });
    await store.fill('');
    await page.waitForURL((url) => !url.searchParams.has('store'));
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Store code');
    await page.keyboard.type('S-002');
    await page.waitForURL((url) => url.searchParams.get('store') === 'S-002');
  });

  test('nothing that takes the focus is behind what sticks to the top or to the bottom of the page', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await opened.visit('users');
    for (const index of [0, 1])
      await page.locator(`tbody [data-index="${index}"]`).getByRole('checkbox').check();
    await page.getByRole('region', { name: 'Selected users' }).waitFor();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press(key);
        assert.deepEqual(await page.evaluate(coveredFocus), [], `${key}, pressed ${presses + 1} times`);
      }
  });

  test('the keyboard stays out of the page that a drawer covers, and goes back to it', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await opened.visit('users');
    const row = page.locator('tbody tr').first();
    await row.focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('tab').first().waitFor();
    await opened.settled();
    for (const key of ['Tab', 'Shift+Tab'])
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press(key);
        const isBehind = await page.evaluate("document.activeElement.closest('#root') !== null");
        assert.equal(isBehind, false, `${key}, pressed ${presses + 1} times`);
      }
    await page.keyboard.press('/');
    await drawer.getByRole('tab').first().focus();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await row.and(page.locator(':focus')).waitFor();
  });

  test('the description of a role takes two lines before it is cut', async () => {
    const { page } = opened;
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await page.setViewportSize({ width: 768, height: 844 });
    await opened.goTo('roles');
    const cell = page.getByRole('cell', { name: /^Visits stores/ });
    const cut = () =>
      cell.evaluate((element) => [
        element.scrollWidth - element.clientWidth,
        element.scrollHeight - element.clientHeight,
      ]);
    assert.deepEqual(await cut(), [0, 0]);
    await opened.change('POST', '/tenants/1/role', {
      name: 'Clerk',
      description: 'Writes orders '.repeat(20),
    });
    await opened.goTo('roles');
    const long = page.getByRole('cell', { name: /^Writes orders/ });
    await long.hover();
    assert.equal(await long.getAttribute('title'), await long.innerText());
    const { height = 0 } = (await page.getByRole('row').filter({ has: long }).boundingBox()) ?? {};
    assert.equal(height, 40);
  });

  for (const path of ['stores', 'orgs', 'roles']) {
    test(`the import of ${path} is in a menu on a phone`, async () => {
      const { page } = opened;
      await page.setViewportSize({ width: 360, height: 844 });
      await opened.goTo(path);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Import' }).click();
      await page.waitForURL(new RegExp(`import\\?of=${path}$`));
      await page.getByRole('heading', { name: 'Import' }).waitFor();
    });
  }

  test('each row on a phone begins where the one above it ends, even far down the list', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('users');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('mara.okafor').getByText('+44 20 7946 0100').waitFor();
    await row('mara.okafor').focus();
    await page.keyboard.press('End');
    await page.locator('tr[data-index="79"]:focus').waitFor();
    await opened.settled();
    const tops: readonly RowBox[] = await page.evaluate(boxesOfRows);
    const [first] = tops;
    assert(first !== undefined && first.index > 20, 'only the rows in view exist');
    for (const [position, { index, top, height }] of tops.slice(0, -1).entries()) {
      const next = tops[position + 1];
      assert.equal(next?.index, index + 1);
      assert.equal(Math.round(next.top), Math.round(top + height));
    }
    const last = tops.at(-1);
    assert(last !== undefined && last.top + last.height <= 844, 'the last row is in view');
    await opened.requireAccessible();
  });

  test('the cells of a row on a phone are at least 8 pixels from its edges', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['users', 'roles', 'applications']) {
      await opened.visit(path);
      const row = page.locator('tbody tr').first();
      await row.waitFor();
      await opened.settled();
      const distance = Number(await page.evaluate(textToLine));
      assert(distance >= 8, `${path}: ${distance} pixels`);
    }
  });

  test('users are told apart in the preview of a change, even if they have the same name', async () => {
    const { page } = opened;
    const usernames = ['bulk.person.0001', 'bulk.person.0002'];
    for (const username of usernames)
      await opened.change('POST', '/tenants/1/user', {
        username,
        real_name: 'Bulk Person of the north',
        password: 'a long password',
      });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await page.setViewportSize({ width: 360, height: 844 });
    await opened.goTo('users?search=bulk.person');
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('menuitem', { name: 'Disable…' }).click();
    const changes = page.getByRole('dialog').getByRole('list', { name: 'What changes' });
    for (const username of usernames) {
      const entry = changes.getByRole('listitem').filter({ hasText: username });
      await entry.getByText('Bulk Person of the north').waitFor();
      await entry.getByText('Active → Disabled').waitFor();
      const isCut = await entry.evaluate((element) =>
        [...element.querySelectorAll('*')].some((text) => text.scrollWidth > text.clientWidth + 1),
      );
      assert.equal(isCut, false);
    }
    await page.keyboard.press('Escape');
  });

  test('on a phone, the notice with Undo covers neither a drawer nor a dialog', async () => {
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 700 });
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('users/7');
    const drawer = page.getByRole('dialog').first();
    await drawer.getByRole('button', { name: 'Disable' }).click();
    const notice = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Undo' }) });
    await notice.waitFor();
    await opened.settled();
    const { y: top = 0 } = (await notice.boundingBox()) ?? {};
    assert(top > 0);
    const bottomOf = async (part: typeof drawer) => {
      const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
      return y + height;
    };
    assert((await bottomOf(drawer)) <= top, 'the drawer ends above the notice');
    await drawer.getByRole('button', { name: 'Delete user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete user' });
    await dialog.waitFor();
    await opened.settled();
    assert((await bottomOf(dialog)) <= top, 'the dialog ends above the notice');
    await opened.requireAccessible();
  });

  test('the longest texts fit, whether or not they have spaces', async () => {
    const { page } = opened;
    await page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('lab');
    const { user, store, appId } = await createLongest(opened);
    const pages = [
      ...[`users?search=${'w'.repeat(50)}`, `users/${user}`, `stores/${store}`, 'orgs'].map(
        (path) => [path, longName] as const,
      ),
      ...['applications', `applications/${appId}`, 'audit'].map(
        (path) => [path, longApplicationName] as const,
      ),
    ];
    for (const [path, text] of pages) {
      await opened.visit(path);
      await page.getByText(text).filter({ visible: true }).first().waitFor();
      for (const width of [390, 1024, 1440]) {
        await setWidth(width);
        const where = `${path}, ${width} pixels wide`;
        assert.deepEqual(await page.evaluate(cutElements), [], where);
        assert.deepEqual(await page.evaluate(overflowing), [], where);
      }
    }
  });

  test('names of operators and tenants are whole in the settings', async () => {
    const { page } = opened;
    await createLongestOperator(opened);
    await page.setViewportSize({ width: 390, height: 844 });
    await opened.goTo('settings');
    for (const [region, name] of [
      ['Operators', 'o'.repeat(50)],
      ['Tenants', longName],
    ] as const) {
      const list = page.getByRole('region', { name: region, exact: true }).getByRole('list').first();
      await list.getByText(name).first().waitFor();
      const cut = await list.evaluate((element) =>
        [...element.querySelectorAll('*')]
          .filter((text) => text.scrollWidth > text.clientWidth + 1 && text.clientWidth > 0)
          .map((text) => text.textContent),
      );
      assert.deepEqual(cut, [], region);
    }
    assert.deepEqual(await page.evaluate(cutElements), []);
  });
});

const longName = 'W'.repeat(100);
const longApplicationName = 'A'.repeat(consoleLimits.applicationNameCharactersMax);

/** Creates an operator with the longest name, and a tenant with the longest name that it can see. */
async function createLongestOperator(opened: ConsolePage): Promise<void> {
  const { id } = await opened.change('POST', '/tenants', { name: longName });
  const access = { role: 'viewer', all_tenants: false, tenant_ids: [1, id] };
  const { token } = await opened.change('POST', '/operators', { ...access, password: ownerPassword });
  // In a browser of its own, because it signs in.
  const guest = await opened.page.context().browser()?.newContext();
  assert(guest !== undefined);
  const page = await guest.newPage();
  await createAccount(
    page,
    `${opened.origin}/console/link#${token}`,
    'o'.repeat(50),
    'one more long passphrase',
  );
  await guest.close();
}

/** Creates an application, a store, an organization and a user whose every text is as long as it may be. */
async function createLongest(opened: ConsolePage): Promise<{ user: number; store: string; appId: string }> {
  const application = { name: longApplicationName, scope: 'manage' };
  const { app_id: appId, app_secret: appSecret } = await opened.change(
    'POST',
    '/tenants/1/applications',
    application,
  );
  assert(appId !== undefined && appSecret !== undefined);
  const client = new SignedClient(opened.server.url, { appId, appSecret });
  const store = 'S'.repeat(50);
  const succeed = async (target: string, body: object) => {
    let answer = await client.call('POST', target, body);
    // The server learns of the application within two seconds.
    while (answer.code === 1013) answer = await client.call('POST', target, body);
    assert.equal(answer.code, 0, answer.message);
    return answer.data ?? {};
  };
  await succeed('/store', { code: store, name: longName, address: 'A'.repeat(1000) });
  const org = await succeed('/org', { name: longName, parent_id: 1 });
  const user = await succeed('/user', {
    ...{ username: 'w'.repeat(50), password: 'a password', real_name: longName, nickname: longName },
    ...{ phone: '1'.repeat(255), email: 'e'.repeat(255), department: longName, unique_code: 'u'.repeat(50) },
  });
  await succeed('/user/org', { user_id: Number(user.id), org_id: Number(org.id) });
  await succeed('/user/store', { user_id: Number(user.id), store_code: store });
  client.close();
  return { user: Number(user.id), store, appId };
}

/** Returns the space between the end of a field's value and the button that clears it, in pixels. */
const roomBehindValue = `(field) => {
  const { fontSize, fontFamily, paddingLeft, borderLeftWidth } = getComputedStyle(field);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = fontSize + ' ' + fontFamily;
  const end = field.getBoundingClientRect().left + parseFloat(borderLeftWidth) + parseFloat(paddingLeft);
  const clear = field.parentElement.querySelector('button');
  return clear.getBoundingClientRect().left - end - pen.measureText(field.value).width;
}`;

/** Returns the texts of rows and names whose content is larger than they are, so that it covers what is beside them. */
const overflowing = `[...document.querySelectorAll('main li > div, [role=dialog] li, [role=dialog] li > *')]
  .filter((element) => element.scrollHeight > element.clientHeight + 4 || element.scrollWidth > element.clientWidth + 1)
  .filter((element) => getComputedStyle(element).display !== 'inline')
  .map((element) => element.textContent.slice(0, 40))`.replaceAll('\n', ' ');

interface RowBox {
  readonly index: number;
  readonly top: number;
  readonly height: number;
}

interface Area {
  readonly name: string;
  readonly top: number;
  readonly left: number;
  readonly right: number;
}

/** The filters of a list, its search included, in the order of Tab. */
const placesOfFilters = `(() => {
  const bar = document.querySelector('main input:not([type=checkbox], [type=radio])').closest('[class*=bar]');
  const shown = [...bar.children].flatMap((part) => [...part.children]).filter((part) => part.getClientRects().length > 0);
  return shown.map((part) => {
    const { top, left, right } = part.getBoundingClientRect();
    const name = part.querySelector('input')?.ariaLabel ?? part.ariaLabel;
    return { name, top, left, right };
  });
})()`;

const boxesOfRows = `[...document.querySelectorAll('tbody tr')].map((row) => {
  const { top, height } = row.getBoundingClientRect();
  return { index: Number(row.dataset.index), top, height };
})`;

/** Returns what is on the first line of the other values of each row, with the separators that styles put there. */
const separated = `[...document.querySelectorAll('tbody tr')].map((row) =>
  [...row.querySelectorAll('[data-title]')].filter((part) => part.getClientRects().length > 0).map((part) => {
    const before = getComputedStyle(part, '::before').content;
    const prefix = (before.includes('·') ? ' · ' : '') + part.dataset.title;
    const line = part.parentElement.firstElementChild.getBoundingClientRect();
    const text = part.firstElementChild ?? part;
    return prefix + (text.getBoundingClientRect().top < line.bottom ? text.textContent : '');
  }).join(''))`;

/** Returns the focused element if another part of the page covers its middle. */
const coveredFocus = `(() => {
  const { activeElement: element } = document;
  const { left, top, width, height } = element.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = above !== null && (element.contains(above) || above.contains(element) || element.parentElement.contains(above));
  return isSeen ? [] : [element.ariaLabel ?? element.textContent];
})()`;

/** Returns what extends beyond the screen, and the cells whose text is cut off without an ellipsis. */
const cutElements = `(() => {
  const width = document.documentElement.clientWidth;
  const name = (element) => element.tagName + ' ' + element.textContent.slice(0, 40);
  const styleOf = (element) => getComputedStyle(element);
  const hasEllipsis = (element) =>
    element !== null && (styleOf(element).textOverflow === 'ellipsis' || hasEllipsis(element.parentElement));
  const faults = document.documentElement.scrollWidth > width ? ['the document'] : [];
  const main = document.querySelector('main');
  if (main !== null && main.scrollWidth > main.clientWidth) faults.push('the page');
  for (const element of document.querySelectorAll('main *, header *, [role=dialog] *')) {
    const isPainted = element.getClientRects().length > 0 && styleOf(element).clipPath === 'none';
    const { left, right } = element.getBoundingClientRect();
    if (isPainted && (right > width + 1 || left < -1) && !hasEllipsis(element))
      faults.push('beyond the edge: ' + name(element));
  }
  for (const cell of document.querySelectorAll('td, td *')) {
    const isCut = styleOf(cell).overflowX !== 'visible' && cell.scrollWidth > cell.clientWidth + 1;
    if (isCut && !hasEllipsis(cell)) faults.push('cut: ' + name(cell));
  }
  const writing = document.createElement('canvas').getContext('2d');
  for (const field of document.querySelectorAll('main input, [role=dialog] input')) {
    const { fontSize, fontFamily, paddingLeft, paddingRight } = styleOf(field);
    writing.font = fontSize + ' ' + fontFamily;
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (field.value === '' && field.offsetParent !== null && writing.measureText(field.placeholder).width > room + 1)
      faults.push('cut: ' + field.placeholder);
  }
  return faults;
})()`;

/** How near the texts of the first row of a table come to its edges. */
const textToLine = `(() => {
  const row = document.querySelector('tbody tr');
  const { top, bottom } = row.getBoundingClientRect();
  const texts = [...row.querySelectorAll('td:not([data-row-actions="true"])')].map((cell) => cell.getBoundingClientRect());
  return Math.min(...texts.map((text) => Math.min(text.top - top, bottom - text.bottom)));
})()`;
