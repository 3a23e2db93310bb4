import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Route } from 'playwright-core';
import { acceptInvitation } from './accept-invitation.ts';
import { ConsolePage, ownerName, ownerPassword } from './console-page.ts';
import { countKeptImports, keepImport } from './kept-imports.ts';

describe('the console on a network that breaks', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    await opened.goTo('users');
  });

  after(() => opened?.close());

  afterEach(async () => {
    await opened.page.context().setOffline(false);
    await opened.page.unrouteAll();
  });

  const button = (name: string | RegExp) => opened.page.getByRole('button', { name, exact: true });
  const account = (username: string) => opened.page.getByRole('button', { name: `Account: ${username}` });
  const row = (name: string) => opened.page.getByRole('row').filter({ hasText: name });
  const drawer = () => opened.page.getByRole('dialog');
  const dialog = (name: string) => opened.page.getByRole('dialog', { name });
  const failure = (text: string) => opened.page.getByRole('alert').filter({ hasText: text });

  /** The browser reports each call that was cut off, and each refusal. */
  function expectReports(): void {
    for (const line of opened.complaints.splice(0))
      assert.match(line, /Failed to load|ERR_|Unable to preload CSS/);
  }

  /** The server carries a change out, and its answer never arrives. */
  async function loseAnswer(route: Route): Promise<void> {
    await route.fetch();
    await route.abort();
  }

  /** Like {@link loseAnswer}, and the change of the cookie that the answer brings is lost with it. */
  async function loseAnswerAndCookie(route: Route): Promise<void> {
    const context = opened.page.context();
    const cookies = await context.cookies();
    await route.fetch();
    await context.clearCookies();
    await context.addCookies(cookies);
    await route.abort();
  }

  async function signInElsewhere(): Promise<void> {
    await opened.change('POST', '/session', { username: ownerName, password: ownerPassword });
  }

  const reading = (path: string) => async () => {
    const response = await opened.page.request.get(`${opened.origin}/console/api/tenants/1/${path}`);
    return (await response.json()).data;
  };

  async function applicationsCalled(name: string): Promise<number> {
    const { applications } = await reading('applications')();
    return applications.filter((one: { name: string }) => one.name === name).length;
  }

  /** Returns every row of the audit of an operation. */
  async function eventsOf(operation: string): Promise<{ user?: { username: string } }[]> {
    const events: { user?: { username: string } }[] = [];
    let cursor = '';
    do {
      const page = await reading(`events?operation=${operation}&limit=500${cursor}`)();
      events.push(...page.events);
      cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : '';
    } while (cursor !== '');
    return events;
  }

  /** Makes every change to a path lose its answer until the test calls the returned function. */
  async function loseAnswersTo(path: string): Promise<() => Promise<void>> {
    const lose = (route: Route) =>
      route.request().method() === 'GET' ? route.continue() : loseAnswer(route);
    await opened.page.route(path, lose);
    return () => opened.page.unroute(path, lose);
  }

  /** Puts the page's clock forward until a condition holds. */
  async function advanceUntil(isSo: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; !(await isSo()); steps++) {
      assert(steps < 100, 'it takes longer than 50 minutes');
      await opened.page.clock.fastForward(30_000);
    }
  }

  /** Makes one change to a path lose its answer. */
  async function loseFirstAnswerTo(path: string): Promise<void> {
    let lost = 0;
    await opened.page.route(path, (route) =>
      route.request().method() === 'GET' || lost++ > 0 ? route.continue() : loseAnswer(route),
    );
  }

  test('an application whose answer is lost exists once, and the page says how to get a secret', async () => {
    const { page } = opened;
    await opened.visit('applications');
    await loseFirstAnswerTo('**/applications');
    await button('Issue application').click();
    await page.getByLabel('Name').fill('Half way');
    await drawer().getByRole('button', { name: 'Issue application' }).click();
    await failure('its secret was lost on the way').waitFor();
    await opened.requireAccessible();
    assert.equal(await drawer().getByRole('button', { name: 'Issue application' }).count(), 0);
    await drawer().getByRole('button', { name: 'Close' }).last().click();
    await row('Half way').waitFor();
    await page.unroute('**/applications');
    assert.equal(await applicationsCalled('Half way'), 1);
    expectReports();
  });

  test('an application is issued once, though its answer was lost and then the session ended', async () => {
    const { page } = opened;
    await opened.visit('applications');
    let lost = 0;
    await page.route('**/applications', async (route) => {
      if (route.request().method() === 'GET' || lost++ > 0) return route.continue();
      await route.fetch();
      // Before the page sends the change again, which it does soon after the answer is lost.
      await page.context().clearCookies();
      await route.abort();
    });
    await button('Issue application').click();
    await page.getByLabel('Name').fill('Signed in again');
    const issue = drawer().getByRole('button', { name: 'Issue application' });
    await issue.click();
    const again = dialog('Your session has ended');
    await again.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    await issue.click();
    await failure('its secret was lost on the way').waitFor();
    await drawer().getByRole('button', { name: 'Close' }).last().click();
    await page.unroute('**/applications');
    assert.equal(await applicationsCalled('Signed in again'), 1);
    expectReports();
  });

  test('an application is issued once, though every answer was lost and the button was pressed again', async () => {
    const { page } = opened;
    await opened.visit('applications');
    const mend = await loseAnswersTo('**/applications');
    await button('Issue application').click();
    await page.getByLabel('Name').fill('Pressed twice');
    const issue = drawer().getByRole('button', { name: 'Issue application' });
    await issue.click();
    await failure('the change is made once').waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Pressed twice');
    await mend();
    await issue.click();
    await failure('its secret was lost on the way').waitFor();
    assert.equal(await applicationsCalled('Pressed twice'), 1);
    await drawer().getByRole('button', { name: 'Close' }).last().click();
    expectReports();
  });

  test('an application is listed that was issued while the list was on its way for the first time', async () => {
    const { page } = opened;
    await page.goto('about:blank');
    const { promise: issued, resolve: release } = Promise.withResolvers<void>();
    let lists = 0;
    await page.route('**/api/tenants/1/applications', async (route) => {
      if (route.request().method() !== 'GET' || lists++ > 0) return route.continue();
      const response = await route.fetch();
      await issued;
      // The page has given this request up.
      await route.fulfill({ response }).catch(() => {});
    });
    await opened.showNewApplication('Early bird');
    release();
    await button('I have stored it').click();
    await row('Early bird').waitFor();
  });

  test('a secret that is rotated in vain is rotated again', async () => {
    const { page } = opened;
    await opened.visit('applications');
    await row('Half way').click();
    await drawer().getByRole('button', { name: 'Rotate secret' }).click();
    await loseFirstAnswerTo('**/applications/rotate');
    const rotate = dialog('Rotate secret').getByRole('button', { name: 'Rotate secret' });
    await rotate.click();
    await failure('rotating once more ends it at once').waitFor();
    await rotate.click();
    assert.match(await page.getByRole('textbox', { name: 'APPSECRET' }).inputValue(), /^[0-9a-f]{64}$/);
    await button('I have stored it').click();
    expectReports();
  });

  test('a new secret is shown even if the part with the script cannot be loaded', async () => {
    const { page } = opened;
    await page.goto('about:blank');
    await page.route('**/snippets*', (route) => route.fulfill({ status: 404, body: '' }));
    await opened.goTo('applications');
    await button('Issue application').click();
    await page.getByLabel('Name').fill('Without a script');
    await drawer().getByRole('button', { name: 'Issue application' }).click();
    await failure('This part of the console cannot be loaded').waitFor();
    assert.match(await page.getByRole('textbox', { name: 'APPSECRET' }).inputValue(), /^[0-9a-f]{64}$/);
    await button('I have stored it').click();
    await page.unroute('**/snippets*');
    expectReports();
  });

  test('a page whose styles a newer release has replaced asks to be loaded again', async () => {
    const { page } = opened;
    await opened.goTo('roles');
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    await page.route(/\/audit-page[^/]*\.css/, (route) => route.fulfill({ status: 404, body: '' }));
    await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
    await failure('This part of the console cannot be loaded').waitFor();
    await page.unrouteAll();
    await button('Load the page again').click();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    expectReports();
  });

  test('a user, a store and a tenant are created once, though every answer was lost', async () => {
    const { page } = opened;
    await opened.visit('users');
    let mend = await loseAnswersTo('**/user');
    await button('Add user').click();
    await page.getByLabel('Username').fill('made.once');
    await page.getByRole('textbox', { name: 'Password' }).fill('a password for once');
    const add = dialog('Add user').getByRole('button', { name: 'Add user' });
    await add.click();
    await failure('Nothing that you typed is lost').waitFor();
    await mend();
    await add.click();
    await page.getByText('made.once added').waitFor();
    await row('made.once').waitFor();

    await opened.visit('stores');
    mend = await loseAnswersTo('**/store');
    await button('Add store').click();
    await drawer().getByLabel('Code').fill('ONCE-1');
    await drawer().getByLabel('Name').fill('Once');
    const save = drawer().getByRole('button', { name: 'Add store' });
    await save.click();
    await failure('Nothing that you typed is lost').waitFor();
    await mend();
    await save.click();
    await page.getByText('Once added', { exact: true }).waitFor();

    await opened.visit('settings');
    mend = await loseAnswersTo('**/api/tenants');
    await page.getByRole('textbox', { name: 'Name' }).fill('Made once');
    await button('Create tenant').click();
    await failure('Nothing that you typed is lost').waitFor();
    await mend();
    await button('Create tenant').click();
    await page.getByText('Made once created').waitFor();
    expectReports();
  });

  test('an invitation whose link was lost says so, and another one can be made', async () => {
    const { page } = opened;
    await opened.visit('settings');
    await button('Invite operator').click();
    await page.getByRole('checkbox', { name: 'All tenants' }).check();
    await drawer().getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await loseFirstAnswerTo('**/api/operators');
    const invite = drawer().getByRole('button', { name: 'Invite operator' });
    await invite.click();
    await failure('The link was lost on the way').waitFor();
    await button('Withdraw: Invitation: Viewer').waitFor();
    await invite.click();
    await page.getByRole('textbox', { name: 'One-time link' }).waitFor();
    await button('I have sent it').click();
    expectReports();
  });

  for (const [made, title, sentence] of [
    ['account', 'Create account', 'Your account was probably created'],
    ['password', 'Set password', 'Your new password was probably set'],
  ] as const)
    test(`a one-time link whose answer is lost says that the ${made} is probably there, and leads to the sign-in`, async () => {
      const { page } = opened;
      const username = `of.lost.${made}`;
      const access = { role: 'viewer', all_tenants: true, tenant_ids: [], password: ownerPassword };
      const { token } =
        made === 'account'
          ? await opened.change('POST', '/operators', access)
          : await opened.change('POST', '/operators/reset', {
              id: await acceptInvitation(opened, username),
              password: ownerPassword,
            });
      await page.goto('about:blank');
      await page.context().clearCookies();
      await page.goto(`${opened.origin}/console/link#${token}`);
      let lost = 0;
      const link = '**/api/link';
      await page.route(link, (route) => (lost++ > 0 ? route.continue() : loseAnswerAndCookie(route)));
      if (made === 'account') await page.getByLabel('Username').fill(username);
      await page.getByRole('textbox', { name: 'Password' }).fill('chosen on a bad line');
      await button(title).click();
      const notice = page.getByRole('alert').filter({ hasText: sentence });
      await notice.waitFor();
      await opened.requireAccessible();
      await notice.getByRole('link', { name: 'Go to the sign-in' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByLabel('Username').fill(username);
      await page.getByRole('textbox', { name: 'Password' }).fill('chosen on a bad line');
      await button('Sign in').click();
      await account(username).waitFor();
      await page.goto('about:blank');
      await signInElsewhere();
      expectReports();
    });

  for (const name of ['Sign out', 'Sign out everywhere'])
    test(`${name} leaves no import behind, though its answer was lost`, async () => {
      const { page } = opened;
      await opened.goTo('roles');
      await row('Sales representative').waitFor();
      await keepImport(page);
      let lost = 0;
      await page.route(/\/api\/sessions?$/, (route) =>
        route.request().method() === 'GET' || lost++ > 0 ? route.continue() : loseAnswerAndCookie(route),
      );
      await account(ownerName).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.deepEqual(await countKeptImports(page), [0, 0]);
      await opened.settled();
      assert.equal(await page.getByRole('dialog').count(), 0);
      assert.equal(await page.getByText('your session had ended').count(), 0);
      await signInElsewhere();
      expectReports();
    });

  test('a server that hangs is given up, and the change is made once when it is back', async () => {
    const { page } = opened;
    await page.goto('about:blank');
    await page.clock.install();
    await opened.goTo('users/5');
    const nickname = drawer().getByLabel('Nickname');
    await nickname.fill('patience');
    const hung: Route[] = [];
    const hang = (route: Route) => void hung.push(route);
    await page.route('**/console/api/**', hang);
    const save = drawer().getByRole('button', { name: 'Save changes' });
    await save.click();
    const bar = page.getByRole('status').filter({ hasText: 'The server does not answer' });
    await advanceUntil(() => bar.isVisible());
    await advanceUntil(() => failure('Nothing that you typed is lost').isVisible());
    assert.equal(await nickname.inputValue(), 'patience');
    await page.unroute('**/console/api/**', hang);
    // From here on, the time passes as usual: put forward, it would give up the calls that the server is about to answer.
    await bar.waitFor({ state: 'detached' });
    await save.click();
    await page.getByText('Saved').waitFor();
    await page.goto('about:blank');
    await page.clock.resume();
    expectReports();
  });

  test('a dialog that is closed while it saves does not promise to discard what is sent', async () => {
    const { page } = opened;
    await opened.goTo('roles');
    await button('Add role').click();
    await drawer().getByLabel('Name').fill('Sent already');
    const held = Promise.withResolvers<void>();
    await page.route('**/tenants/1/role', async (route) => {
      await held.promise;
      await route.continue();
    });
    await drawer().getByRole('button', { name: 'Add role' }).click();
    await page.keyboard.press('Escape');
    const question = dialog('Leave while this is being saved?');
    await question.getByText('Leaving does not stop that').waitFor();
    await question.getByRole('button', { name: 'Stay' }).click();
    held.resolve();
    await page.getByText('Sent already added').waitFor();
    await page.unroute('**/tenants/1/role');
  });

  test('the page of a proxy counts as no answer', async () => {
    const { page } = opened;
    await opened.goTo('roles');
    await button('Add role').click();
    await drawer().getByLabel('Name').fill('Behind a proxy');
    const broken = (route: Route) => route.fulfill({ status: 503, body: '<h1>Service Unavailable</h1>' });
    await page.route('**/console/api/**', broken);
    const save = drawer().getByRole('button', { name: 'Add role' });
    await save.click();
    await failure('The server does not answer').waitFor();
    await page.unroute('**/console/api/**', broken);
    await save.click();
    await page.getByText('Behind a proxy added').waitFor();
    expectReports();
  });

  test('offline, what is typed stays, and is saved once the network is back', async () => {
    const { page } = opened;
    await opened.goTo('orgs');
    await button('Add organization').first().click();
    await drawer().getByLabel('Name').fill('Out of range');
    await page.context().setOffline(true);
    const save = drawer().getByRole('button', { name: 'Add organization' });
    await save.click();
    await failure('The server does not answer').waitFor();
    await page.context().setOffline(false);
    // The browser may need a moment to use the network again.
    await page.evaluate('(async () => { while (!(await fetch("/healthz").catch(() => false))); })()');
    await save.click();
    await opened.shows('Out of range added');
    expectReports();
  });

  test('a part that was not loaded yet arrives when the server is back', async () => {
    const { page } = opened;
    await opened.goTo('users/6');
    await drawer().getByLabel('Nickname').fill('kept');
    await opened.server.kill();
    await page.keyboard.press('Control+k');
    await page.getByRole('status').filter({ hasText: 'The server does not answer' }).waitFor();
    const palette = dialog('Search').getByRole('combobox');
    assert.equal(await palette.count(), 0);
    await opened.restartServer();
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    assert.equal(await drawer().getByLabel('Nickname').inputValue(), 'kept');
    await drawer().getByLabel('Nickname').fill('');
    expectReports();
  });

  test('a page that was not loaded yet arrives when the server is back', async () => {
    const { page } = opened;
    await opened.goTo('roles');
    await row('Behind a proxy').waitFor();
    await opened.server.kill();
    await page.getByRole('navigation').getByRole('link', { name: 'Signature lab' }).click();
    await page.getByRole('status').filter({ hasText: 'The server does not answer' }).waitFor();
    await opened.restartServer();
    await page.getByRole('heading', { name: 'Signature lab' }).waitFor();
    expectReports();
  });

  test('what was typed stays when the page fails to load its data again', async () => {
    const { page } = opened;
    await opened.goTo('users/7');
    await drawer().getByLabel('Nickname').fill('typed before');
    await page.route(/\/user-details\?/, (route) => route.abort());
    await drawer().getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Behind a proxy' }).click();
    await failure('The server does not answer').waitFor();
    assert.equal(await drawer().getByLabel('Nickname').inputValue(), 'typed before');
    await page.unroute(/\/user-details\?/);
    await drawer().getByLabel('Nickname').fill('');
    expectReports();
  });

  test('a session that ends asks for the password over the page, and what was typed is saved', async () => {
    const { page } = opened;
    await opened.goTo('users/8');
    await drawer().getByLabel('Nickname').fill('typed in time');
    await page.context().clearCookies();
    await drawer().getByRole('button', { name: 'Save changes' }).click();
    const again = dialog('Your session has ended');
    await again.waitFor();
    await opened.requireAccessible();
    await page.keyboard.press('Escape');
    await again.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    assert.equal(await drawer().getByLabel('Nickname').inputValue(), 'typed in time');
    await failure('so this was not done. Press the button again.').waitFor();
    await drawer().getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved').waitFor();
    expectReports();
  });

  test('the lab keeps what was pasted when the session ends', async () => {
    const { page } = opened;
    await opened.goTo('lab');
    await page.getByLabel('URL, as it is sent').fill('/user?username=ada');
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Search users, stores, pages/ }).click();
    await dialog('Search').getByRole('combobox').fill('mara');
    const again = dialog('Your session has ended');
    await again.getByRole('textbox', { name: 'Password' }).fill(ownerPassword);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await again.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('URL, as it is sent').inputValue(), '/user?username=ada');
    expectReports();
  });

  test('what could not be undone can be tried again', async () => {
    const { page } = opened;
    await opened.goTo('users/9');
    await drawer().getByRole('button', { name: 'Disable' }).click();
    const undo = button('Undo');
    await undo.waitFor();
    await page.route('**/user/status*', (route) => route.abort());
    await undo.click();
    await page.getByText('the change is made once').waitFor();
    await page.unroute('**/user/status*');
    await undo.click();
    await drawer().getByRole('button', { name: 'Disable' }).waitFor();
    await undo.waitFor({ state: 'detached' });
    expectReports();
  });

  test('an import goes on after the server was killed, and no row is imported twice', async () => {
    const { page } = opened;
    await opened.goTo('import');
    const names = Array.from({ length: 1200 }, (_, index) => `after.kill.${index}`);
    const chosen = page.waitForEvent('filechooser');
    await button('Choose file').click();
    const content = Buffer.from(['username,phone', ...names.map((name) => `${name},1`)].join('\n'));
    await (await chosen).setFiles({ name: 'kill.csv', mimeType: 'text/csv', buffer: content });
    await button('Show what would change').click();
    await page.getByText('New 1,200').waitFor();
    const ids: (string | undefined)[] = [];
    await page.route('**/users/batch', async (route) => {
      const request = route.request();
      if (request.postData()?.includes('"dry_run":true') === true) return route.continue();
      if (ids.push(request.headers()['change-id']) !== 2) return route.continue();
      await route.fetch();
      await opened.server.kill();
      await route.abort();
    });
    await button('Import 1,200 users').click();
    await failure('The server does not answer').waitFor();
    const sentBefore = ids.length;
    await opened.restartServer();
    await button('Try again').click();
    await page.getByText('The import is complete').waitFor();
    assert.equal(ids[sentBefore], ids[1], 'the batch whose answer was lost is sent with its id');
    assert.equal(new Set(ids).size, 3, 'each batch has one id');
    const events = await eventsOf('batch-users');
    const changed = events
      .map((event) => event.user?.username)
      .filter((name) => name?.startsWith('after.kill.'));
    assert.deepEqual(changed.toSorted(), names.toSorted());
    expectReports();
  });
});
