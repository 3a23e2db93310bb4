import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { reservePort } from '../../packages/server/test/reserve-port.ts';
import { ensureConsole } from '../../scripts/ensure-console.ts';
import { accessibilityViolations } from '../accessibility-violations.ts';
import { runFieldroster } from '../fieldroster-command.ts';
import { ServerProcess } from '../server-process.ts';
import { borrowBrowser, returnBrowser } from '../shared-browser.ts';
import { type Credentials, SignedClient } from '../signed-client.ts';
import { createAccount } from './create-account.ts';
import { headersOfChange } from './headers-of-change.ts';
import { type Failure, PageRecord } from './page-record.ts';
import { pushAddress } from './push-address.ts';
import { untilStill } from './until-still.ts';

export const ownerName = 'mo';
export const ownerPassword = 'correct horse battery staple';

/** Far longer than the server or a page takes, even on a machine that other work keeps busy. */
const knownWithinMs = 90_000;
const settledWithinMs = 90_000;

interface Parts {
  readonly server: ServerProcess;
  readonly page: Page;
  readonly folder: string;
  readonly flags: readonly string[];
}

/** A server with the sample directory, and a browser in which the first owner is signed in. */
export class ConsolePage {
  server: ServerProcess;
  readonly page: Page;
  /** The servers before restarts. */
  readonly #formerServers: ServerProcess[] = [];
  readonly #context: BrowserContext;
  readonly #folder: string;
  readonly #flags: readonly string[];
  readonly #record: PageRecord;
  readonly #consoleUrl: string;

  private constructor(parts: Parts) {
    this.server = parts.server;
    this.page = parts.page;
    this.#context = parts.page.context();
    this.#folder = parts.folder;
    this.#flags = parts.flags;
    this.#consoleUrl = this.firstLink;
    this.#record = new PageRecord(parts.page);
  }

  /**
   * Starts a server as `npm start` does, and creates the first owner as the page of the printed link does, without
   * loading it. The page is blank until the test goes somewhere.
   */
  static async open(...flags: readonly string[]): Promise<ConsolePage> {
    const opened = await ConsolePage.#start(flags);
    const token = new URL(opened.firstLink).hash.slice(1);
    await opened.change('POST', '/link', { token, username: ownerName, password: ownerPassword });
    return opened;
  }

  /** Starts a server in the same way, but creates the first owner in the browser, by the link that it prints. */
  static async openByLink(...flags: readonly string[]): Promise<ConsolePage> {
    const opened = await ConsolePage.#start(flags);
    await createAccount(opened.page, opened.firstLink, ownerName, ownerPassword);
    return opened;
  }

  static async #start(flags: readonly string[]): Promise<ConsolePage> {
    ensureConsole();
    const folder = mkdtempSync(join(tmpdir(), 'fieldroster-console-'));
    // The command refuses a flag that is given twice.
    const data = flags.includes('--data') ? [] : ['--data', folder];
    // A test may start the server again, on the same port.
    const directory = [...data, '--port', String(await reservePort()), ...flags];
    const browser = await borrowBrowser();
    try {
      // Under npm start, the server prints the link even into a pipe.
      const environment = { npm_lifecycle_event: 'start' };
      const server = await ServerProcess.start({ flags: [...directory, '--sample'], environment });
      const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } });
      context.setDefaultTimeout(settledWithinMs);
      return new ConsolePage({ server, page: await context.newPage(), folder, flags: directory });
    } catch (error) {
      returnBrowser();
      throw error;
    }
  }

  /** The browser's complaints, including violations of the content security policy. */
  get complaints(): string[] {
    return this.#record.complaints;
  }

  /** Forgets the complaints, once it has asserted that they report these failures and no others. */
  expectReports(...failures: readonly Failure[]): void {
    this.#record.expectReports(failures);
  }

  /** Where the console is; it may have a separate listener. */
  get origin(): string {
    return new URL(this.#consoleUrl).origin;
  }

  /** The link that the first start printed. */
  get firstLink(): string {
    const [link] = /http:\S+\/console\/link#\S+/.exec(this.server.output) ?? [];
    assert(link !== undefined, 'the first start prints a link');
    return link;
  }

  /** Opens what the server has recorded, which the server may be writing. */
  openRecords(): DatabaseSync {
    return new DatabaseSync(join(this.#folder, 'fieldroster-bookkeeping.db'), { timeout: 30_000 });
  }

  /** Opens a page of the first tenant. */
  async goTo(path: string): Promise<void> {
    await this.page.goto(`${this.origin}/console/t/1/${path}`);
  }

  /**
   * Shows a page of the first tenant as a link of the console does, for a quarter of the processor time of loading it.
   * It may show what the console fetched earlier, so a test of what the server has kept loads the page by `goTo`.
   */
  async follow(path: string): Promise<void> {
    await this.page.evaluate(pushAddress(`/console/t/1/${path}`));
  }

  /**
   * Follows a link like `follow`, but by way of another page.
   * Nothing of the page shown before can pass for the new one, and the new page starts from scratch, as after a load.
   * If no page of the first tenant is shown, this loads the page.
   */
  async visit(path: string): Promise<void> {
    if (!this.page.url().startsWith(`${this.origin}/console/t/1`)) return this.goTo(path);
    const between = this.page.locator('main h1', { hasText: /There is no such page|没有这个页面/ });
    await this.follow('no-such-page');
    await between.waitFor();
    await this.page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await this.follow(path);
    await between.waitFor({ state: 'detached' });
  }

  /** Waits until the page has drawn itself, nothing on it moves, and every request of it is answered. */
  async settled(): Promise<void> {
    const deadline = Date.now() + settledWithinMs;
    do {
      assert(
        Date.now() < deadline,
        `unanswered after ${settledWithinMs} ms: ${[...this.#record.pending].map((request) => request.url())}`,
      );
      await this.page.evaluate(untilStill);
    } while (this.#record.pending.size > 0);
  }

  /** Waits until the page shows a text. The error says what the page and its fields show instead. */
  async shows(text: string): Promise<void> {
    const { page } = this;
    try {
      await page.getByText(text).waitFor();
    } catch (cause) {
      const fields = await page.locator('input').evaluateAll('all => all.map(({ value }) => value)');
      const shown = await page.locator('body').innerText();
      throw new Error(`no ${JSON.stringify(text)}: ${JSON.stringify({ url: page.url(), shown, fields })}`, {
        cause,
      });
    }
  }

  /** Issues an application as below, and waits until the server answers its calls. The calls before are on record. */
  async issueUsableApplication(name: string): Promise<Credentials> {
    const credentials = await this.issueApplication(name);
    using client = new SignedClient(this.server.url, credentials);
    const deadline = Date.now() + knownWithinMs;
    while ((await client.call('GET', '/role?id=1')).code === 1013) {
      assert(Date.now() < deadline, `the application is known within ${knownWithinMs} ms`);
      // The server keeps a limited number of failed calls a minute, and a test may want to see others.
      await delay(100);
    }
    return credentials;
  }

  /**
   * Issues an application with the scope `write` as the console does, without showing its page. The server knows it a
   * moment later.
   */
  async issueApplication(name: string): Promise<Credentials> {
    const { app_id: appId, app_secret: appSecret } = await this.change('POST', '/tenants/1/applications', {
      name,
      scope: 'write',
    });
    assert(appId !== undefined && appSecret !== undefined);
    return { appId, appSecret };
  }

  /** Issues an application as an operator does, and leaves the dialog open that shows its secret once. */
  async showNewApplication(name: string): Promise<Credentials> {
    const { page } = this;
    await this.visit('applications');
    await page.getByRole('button', { name: 'Issue application' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Issue application' }).click();
    const answer = page.getByRole('dialog').getByRole('alert');
    // A refusal, or a secret whose answer was lost, has no fields to wait for.
    assert.match(await answer.innerText(), /^The secret is shown only once/);
    const appId = await page.getByRole('textbox', { name: 'APPID' }).inputValue();
    const appSecret = await page.getByRole('textbox', { name: 'APPSECRET' }).inputValue();
    return { appId, appSecret };
  }

  /** Restarts the server, which writes the calls that it has counted when it stops. */
  async writeCallCounts(): Promise<void> {
    // A page that sends a request in the meantime would report the missing server.
    await this.page.goto('about:blank');
    assert.equal(await this.server.stop(), 0);
    await this.restartServer();
  }

  /** Starts the server again on the same port, with more flags if given, after the test ended it. */
  async restartServer(...flags: readonly string[]): Promise<void> {
    this.#formerServers.push(this.server);
    this.server = await ServerProcess.start({ flags: this.#flags }, ...flags);
  }

  /** Erases a person as an operator does on the server's machine. */
  async erasePerson(username: string): Promise<void> {
    const erased = await runFieldroster('user', 'erase', '--user', username, '--yes', '--data', this.#folder);
    assert.equal(erased.exitCode, 0, erased.stderr);
  }

  /**
   * Waits until the browser's tab has this title, which a page sets once it is drawn. Asks for it after each frame:
   * `waitForFunction` has the page itself evaluate its string while it waits, which the content security policy refuses.
   */
  async isTitled(title: string): Promise<void> {
    const deadline = Date.now() + settledWithinMs;
    for (let found = await this.page.title(); found !== title; found = await this.page.title()) {
      assert(
        Date.now() < deadline,
        `expected the title ${JSON.stringify(title)}; it is ${JSON.stringify(found)}`,
      );
      await this.page.evaluate('new Promise(requestAnimationFrame)');
    }
  }

  /**
   * Asserts that the page has no accessibility problem once nothing on it moves: what fades has less contrast.
   */
  async requireAccessible(): Promise<void> {
    await this.page.evaluate(untilStill);
    assert.deepEqual(await accessibilityViolations(this.page), []);
  }

  /** Asserts that the browser complained about nothing and asked nobody else, and ends everything. */
  async close(): Promise<void> {
    const steps = [
      () => this.#context.close(),
      returnBrowser,
      () => this.server.stop(),
      () => rmSync(this.#folder, { recursive: true, force: true }),
      () => this.#record.requireNoFault(),
      () =>
        assert.deepEqual(
          [...this.#formerServers, this.server].flatMap(({ errorLines }) => errorLines),
          [],
        ),
    ];
    // A step that fails neither skips another nor hides what it finds.
    const faults: unknown[] = [];
    for (const step of steps) await Promise.try(step).catch((fault) => faults.push(fault));
    assert.deepEqual(faults, []);
  }

  /**
   * Makes a change with the page's cookie but outside the page, which therefore does not refresh.
   *
   * @param path below the console's interface, with its query
   */
  async change(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, string | undefined>>> {
    const response = await this.page.request.fetch(`${this.origin}/console/api${path}`, {
      method,
      headers: await headersOfChange(this),
      ...(body !== undefined && { data: body }),
    });
    const { code, message, data } = await response.json();
    assert.equal(code, 0, message);
    return data;
  }
}
