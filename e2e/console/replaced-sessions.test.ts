import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { Route } from 'playwright-core';
import { acceptInvitation } from './accept-invitation.ts';
import { ConsolePage, ownerPassword } from './console-page.ts';

/** How long one code of an authenticator is valid. */
const stepMs = 30_000;
const passwordOfOthers = 'a bicycle among the tests';

describe('a change that replaces the session of the console', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
    for (const username of ['kim', 'lee']) await acceptInvitation(opened, username);
  });

  after(() => opened?.close());

  afterEach(async () => {
    await opened.page.unrouteAll();
    // The browser reports each call that was cut off, and each refusal.
    for (const line of opened.complaints.splice(0)) assert.match(line, /Failed to load|ERR_/);
  });

  const dialog = (name: string) => opened.page.getByRole('dialog', { name });
  const again = () => dialog('Your session has ended');
  const section = (name: string) => opened.page.getByRole('region', { name, exact: true });
  const changed = () => section('Password').getByRole('button', { name: 'Change password' });

  async function openSettingsAs(username: string, password: string, code?: string): Promise<void> {
    // A page that is open would start over.
    await opened.page.goto('about:blank');
    await opened.page.context().clearCookies();
    await opened.change('POST', '/session', { username, password, ...(code !== undefined && { code }) });
    await opened.goTo('settings');
  }

  /** The server carries out the first change to a path. Its answer never arrives, and nor does the new cookie in it. */
  async function loseFirstAnswerTo(path: string): Promise<void> {
    let lost = 0;
    await opened.page.route(path, async (route) => {
      if (route.request().method() === 'GET' || lost++ > 0) return route.continue();
      await withFormerCookie(() => route.fetch());
      await route.abort();
    });
  }

  /** Makes a call whose new cookie the browser does not get until it is handed over. */
  async function withFormerCookie<Answer>(call: () => Promise<Answer>) {
    const context = opened.page.context();
    const former = await context.cookies();
    const answer = await call();
    const next = await context.cookies();
    await context.clearCookies();
    await context.addCookies(former);
    const handOver = async () => {
      await context.clearCookies();
      await context.addCookies(next);
    };
    return { answer, handOver };
  }

  async function signInAgain(password: string, code?: string): Promise<void> {
    await again().getByRole('textbox', { name: 'Password' }).fill(password);
    await again().getByRole('button', { name: 'Sign in' }).click();
    if (code !== undefined) {
      await again().getByRole('textbox', { name: 'Code' }).fill(code);
      await again().getByRole('button', { name: 'Sign in' }).click();
    }
    await again().waitFor({ state: 'detached' });
  }

  async function fillPasswords(from: string, to: string): Promise<void> {
    await section('Password').getByRole('textbox', { name: 'Current password' }).fill(from);
    await section('Password').getByRole('textbox', { name: 'New password' }).fill(to);
  }

  async function isSignedIn(): Promise<boolean> {
    const response = await opened.page.request.get(`${opened.origin}/console/api/session`);
    return (await response.json()).code === 0;
  }

  test('signing out everywhere without a session is not reported as done, because the other sessions go on', async () => {
    await openSettingsAs('kim', passwordOfOthers);
    const everywhere = section('Sessions').getByRole('button', { name: 'Sign out everywhere' });
    await everywhere.waitFor();
    await opened.page.context().clearCookies();
    await everywhere.click();
    await again().waitFor();
    await signInAgain(passwordOfOthers);
  });

  test('a new password whose answer was lost counts, and the page says that it may', async () => {
    await openSettingsAs('kim', passwordOfOthers);
    await loseFirstAnswerTo('**/api/password');
    await fillPasswords(passwordOfOthers, 'another bicycle, another test');
    await changed().click();
    await signInAgain('another bicycle, another test');
    const alert = section('Password').getByRole('alert');
    await alert.getByText('the one with which you have just signed in').waitFor();
    await alert.getByText('This may have been done').waitFor();
    await opened.requireAccessible();
  });

  test('new recovery codes whose answer was lost may count, and the page says so', async () => {
    const { page } = opened;
    await openSettingsAs('lee', passwordOfOthers);
    const { secret } = await opened.change('POST', '/second-factor', { password: passwordOfOthers });
    assert(secret !== undefined);
    const authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
    const confirmed = await opened.change('PUT', '/second-factor', { code: authenticator.generate() });
    const { recovery_codes } = confirmed as unknown as { readonly recovery_codes: readonly string[] };
    const [code = ''] = recovery_codes;
    await opened.goTo('settings');
    await loseFirstAnswerTo('**/api/recovery-codes');
    const make = 'Make new recovery codes';
    await page.getByRole('button', { name: make }).click();
    await dialog(make).getByRole('textbox', { name: 'Your password' }).fill(passwordOfOthers);
    await dialog(make).getByRole('textbox', { name: 'Current code' }).fill(code);
    await dialog(make).getByRole('button', { name: make }).click();
    await signInAgain(passwordOfOthers, authenticator.generate({ timestamp: Date.now() + stepMs }));
    await dialog(make).getByRole('alert').getByText('your old recovery codes no longer work').waitFor();
  });

  test('a second factor whose answer was lost may be on, and the page says how to get recovery codes', async () => {
    const { page } = opened;
    await openSettingsAs('mo', ownerPassword);
    const turnOn = 'Turn on second factor';
    await page.getByRole('button', { name: turnOn }).click();
    await dialog(turnOn).getByRole('textbox', { name: 'Your password' }).fill(ownerPassword);
    await dialog(turnOn).getByRole('button', { name: 'Continue' }).click();
    const secret = await page.getByRole('textbox', { name: 'Secret, if you cannot scan' }).inputValue();
    const authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
    await loseFirstAnswerTo('**/api/second-factor');
    await dialog(turnOn).getByRole('textbox', { name: 'Code' }).fill(authenticator.generate());
    await dialog(turnOn).getByRole('button', { name: turnOn }).click();
    await signInAgain(ownerPassword, authenticator.generate({ timestamp: Date.now() + stepMs }));
    await dialog(turnOn).getByRole('alert').getByText('make new recovery codes').waitFor();
  });

  /** Holds the page's question for its sessions, which goes to the server with the cookie that the browser had then. */
  async function holdSessions(): Promise<{ readonly release: () => void; readonly answered: Promise<void> }> {
    const { page } = opened;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: answered, resolve: note } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/api/sessions', async (route: Route) => {
      if (asked++ > 0) return route.continue();
      const [cookie] = await page.context().cookies();
      await held;
      const headers = { ...route.request().headers(), cookie: `${cookie?.name}=${cookie?.value}` };
      await route.fulfill({ response: await route.fetch({ headers }) });
      note();
    });
    return { release, answered };
  }

  test('is not undone by a question of the session before that arrives after it', async () => {
    const { page } = opened;
    await openSettingsAs('kim', 'another bicycle, another test');
    await page.goto('about:blank');
    const sessions = await holdSessions();
    await opened.goTo('settings');
    await fillPasswords('another bicycle, another test', 'a third bicycle for the test');
    await changed().click();
    await page.getByText('Password changed').waitFor();
    sessions.release();
    await sessions.answered;
    await section('Sessions').getByText('This session').waitFor();
    assert.equal(await again().count(), 0);
    assert(await isSignedIn());
  });

  test('is waited for before the page says that the session has ended', async () => {
    const { page } = opened;
    await openSettingsAs('kim', 'a third bicycle for the test');
    await page.goto('about:blank');
    const sessions = await holdSessions();
    await opened.goTo('settings');
    await fillPasswords('a third bicycle for the test', 'a fourth bicycle, and a test');
    const { promise: made, resolve: noteMade } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/password', async (route) => {
      const { answer, handOver } = await withFormerCookie(() => route.fetch());
      noteMade();
      await held;
      await handOver();
      await route.fulfill({ response: answer });
    });
    await changed().click();
    await made;
    const asked = page.waitForResponse((response) => response.url().endsWith('/api/session'));
    sessions.release();
    await sessions.answered;
    assert.equal((await (await asked).json()).code, 1601);
    await page.evaluate('new Promise(requestAnimationFrame)');
    assert.equal(await again().count(), 0);
    release();
    await section('Sessions').getByText('This session').waitFor();
    await page.getByText('Password changed').waitFor();
    assert.equal(await again().count(), 0);
  });
});
