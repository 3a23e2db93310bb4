import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { ConsolePage } from './console-page.ts';

/** The server's answer when a query fails in it. */
const refusal = { code: 1500, message: 'internal error', data: null };

describe('a part of a user that cannot be loaded', () => {
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open();
  });

  after(() => opened?.close());

  afterEach(async () => {
    await opened.page.unrouteAll();
    // The browser reports every call that failed.
    for (const line of opened.complaints.splice(0)) assert.match(line, /^Failed to load resource/);
  });

  const drawer = () => opened.page.getByRole('dialog').first();
  const failure = () => drawer().getByRole('alert');

  test('the stores of a user are a failure that can be tried again', async () => {
    const { page } = opened;
    await page.route(/\/user\/store\?/, (route) => route.fulfill({ status: 500, json: refusal }));
    await opened.goTo('users/1');
    await drawer().getByRole('tab', { name: 'Stores' }).click();
    await failure().waitFor();
    await opened.requireAccessible();
    await drawer().getByRole('button', { name: 'Delete user' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete user' });
    await deletion.getByText('; every store of this user loses this representative').waitFor();
    await page.keyboard.press('Escape');
    await deletion.waitFor({ state: 'detached' });
    await page.unrouteAll();
    await failure().getByRole('button', { name: 'Try again' }).click();
    await drawer().getByRole('list', { name: 'Stores' }).getByRole('listitem').first().waitFor();
    await failure().waitFor({ state: 'detached' });
  });

  test('a user who is gone is not said never to have existed if the history fails', async () => {
    const { page } = opened;
    await opened.goTo('users');
    await opened.change('DELETE', '/tenants/1/user?user_id=30');
    await page.route(/\/events\?/, (route) => route.fulfill({ status: 500, json: refusal }));
    await opened.goTo('users/30');
    await failure().waitFor();
    assert.equal(await drawer().getByText('There is no such user').count(), 0);
    await page.unrouteAll();
    await failure().getByRole('button', { name: 'Try again' }).click();
    await drawer().getByText('This user was deleted').waitFor();
  });
});
