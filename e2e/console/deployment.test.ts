import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Route } from 'playwright-core';
import { ConsolePage } from './console-page.ts';
import { headersOfChange } from './headers-of-change.ts';

/** A verification runs in a separate process, which starts slowly on a busy machine. */
const patiently = { timeout: 300_000 };

describe('the deployment in the settings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fieldroster-backups-'));
  let opened: ConsolePage;

  before(async () => {
    opened = await ConsolePage.open('--backup-every', '1h', '--backup-to', folder, '--audit-keep', '400');
  });

  after(async () => {
    await opened?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const section = (name: string) => opened.page.getByRole('region', { name });

  /** Waits for the first scheduled backup, which appears by itself. */
  async function lastBackup(): Promise<string> {
    await opened.goTo('settings');
    await section('Backups').getByRole('button', { name: 'Verify now' }).waitFor(patiently);
    const [name] = readdirSync(folder).filter((candidate) => candidate.endsWith('.backup'));
    assert(name !== undefined);
    await section('Backups').getByText(name).waitFor();
    return join(folder, name);
  }

  /** Verifies the last backup, and waits for the result. Until the server has begun, the page shows the one before. */
  async function verify(): Promise<void> {
    const button = section('Backups').getByRole('button', { name: 'Verify now' });
    const path = '/console/api/deployment/verification';
    await Promise.all([
      opened.page.waitForResponse((response) => response.url().endsWith(path), patiently),
      button.click(patiently),
    ]);
    // The button stays enabled until the page has read the new state.
    await opened.settled();
    await button.and(opened.page.locator(':enabled')).waitFor(patiently);
  }

  test('a backup that is made while the settings are open appears by itself', async () => {
    const { page } = opened;
    await lastBackup();
    const isQuery = ({ pathname }: URL) => pathname === '/console/api/deployment';
    // The server's answer as it was before the first backup.
    const answerEarlier = async (route: Route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const { last_backup: _, next_backup_at: __, ...earlier } = data;
      await route.fulfill({ response, json: { ...rest, data: earlier } });
    };
    await page.route(isQuery, answerEarlier);
    await opened.goTo('settings');
    await section('Backups').getByText('Within a minute').waitFor();
    assert.equal(await section('Backups').getByRole('button', { name: 'Verify now' }).count(), 0);
    await page.unroute(isQuery);
    await section('Backups').getByRole('button', { name: 'Verify now' }).waitFor();
    // Only the first answer shows this older backup, with the next one due in half a second. The second one waits until
    // the test has seen it.
    const { promise: isSeen, resolve: seeOlder } = Promise.withResolvers<void>();
    const answerLater = async (route: Route) => {
      await isSeen;
      await route.continue();
    };
    const answerOlder = async (route: Route) => {
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      const older = {
        ...data,
        next_backup_at: Date.now() + 500,
        last_backup: { ...data.last_backup, file: 'older' },
      };
      await route.fulfill({ response, json: { ...rest, data: older } });
    };
    await page.route(isQuery, answerLater);
    // The latest route comes first.
    await page.route(isQuery, answerOlder, { times: 1 });
    await opened.goTo('settings');
    await section('Backups').getByText('older', { exact: true }).waitFor();
    seeOlder();
    await section('Backups').getByText('older', { exact: true }).waitFor({ state: 'detached' });
    await page.unroute(isQuery);
  });

  test('two clicks, and calls at the same moment, begin one verification', async () => {
    const { page } = opened;
    await lastBackup();
    const path = '/console/api/deployment/verification';
    const backups = section('Backups');
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith(path)) sent += 1;
    });
    const verify = backups.getByRole('button', { name: 'Verify now' });
    await verify.dblclick();
    await backups.getByText('Good', { exact: true }).waitFor(patiently);
    assert.equal(sent, 1);
    const begin = async () => {
      const headers = await headersOfChange(opened);
      const answer = await page.request.post(`${opened.origin}${path}`, { headers, data: {} });
      return (await answer.json()).code;
    };
    const codes = await Promise.all([begin(), begin(), begin(), begin()]);
    assert.deepEqual(codes.toSorted(), [0, 1617, 1617, 1617]);
    await opened.goTo('settings');
    await backups.getByText('Good', { exact: true }).waitFor(patiently);
  });

  test('the last backup is verified, and a damaged one is reported with the reason', async () => {
    const file = await lastBackup();
    const backups = section('Backups');
    // On a busy machine, the tests before take minutes.
    await backups.getByText(/^in (5\d min|1 hr)/).waitFor();
    await verify();
    await backups.getByText('Good', { exact: true }).waitFor(patiently);
    truncateSync(file, 2_000);
    await verify();
    await backups.getByText('Failed', { exact: true }).waitFor(patiently);
    const reason = await backups.getByRole('alert').textContent();
    assert.match(reason ?? '', /The backup could not be verified.*fieldroster-.*\.backup/);
    await opened.page.evaluate("localStorage.setItem('fieldroster-language', 'zh')");
    await opened.goTo('settings');
    const inChinese = section('备份').getByRole('alert');
    await inChinese.getByText('备份文件已损坏或不完整').waitFor();
    // The file and the details are in the original.
    assert.match(
      (await inChinese.locator('[lang=en]').textContent()) ?? '',
      /fieldroster-.*\.backup is damaged/,
    );
    await opened.page.evaluate("localStorage.setItem('fieldroster-language', 'en')");
    await opened.goTo('settings');
  });

  test("the doctor's findings are shown, the worst first, with what to do", async () => {
    await opened.visit('settings');
    const doctor = section('Doctor');
    await doctor.getByText('Audit trail').waitFor();
    assert.equal(await doctor.getByRole('listitem').count(), 12);
    await doctor.getByRole('listitem').filter({ hasText: 'Bookkeeping' }).waitFor();
    await doctor.getByRole('listitem').filter({ hasText: 'Last backup' }).waitFor();
    await doctor.getByRole('button', { name: 'Check again' }).click();
    await opened.requireAccessible();
  });

  test('retention names the setting that changes it', async () => {
    await opened.visit('settings');
    const retention = section('Retention');
    await retention.getByText('400 days').waitFor();
    await retention.getByText('--audit-keep').waitFor();
    await retention.getByText('90 days').waitFor();
    await retention.getByText('7 days').waitFor();
  });
});
