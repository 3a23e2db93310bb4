import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchWholeBrowser } from '../../e2e/browser.ts';
import { createAccount } from '../../e2e/console/create-account.ts';
import type { Bench } from '../bench.ts';
import { newDirectory } from '../directory/new-directory.ts';
import { insertStores, type SeededDirectory, type Subject, serverOf } from '../directory/seed.ts';
import { seeded } from '../directory/seeded-user.ts';
import type { Contender, StartContender } from '../measurement.ts';
import { usageOf } from '../process/usage.ts';
import { startFieldroster } from './fieldroster.ts';

/** A browser in which an owner is signed in. */
type OpenedConsole = Awaited<ReturnType<typeof signIn>>;

const usersPerStore = 5;

const pageUsers = 100;
const scrolledPages = 100;

const idleMs = 30_000;

/**
 * Measures in the page, so that no delay between the browser and this process counts: `shown(text)` resolves in the
 * first frame in which every row has the text, to the milliseconds since the last key, or since the navigation began.
 */
const stopwatch = `
  let startedAt = 0;
  addEventListener('keydown', (event) => { startedAt = event.timeStamp; }, true);
  globalThis.shown = async (text) => {
    for (;;) {
      await new Promise(requestAnimationFrame);
      const rows = [...document.querySelectorAll('tbody tr')];
      if (rows.length > 0 && rows.every((row) => row.textContent.includes(text))) return performance.now() - startedAt;
    }
  };`;

/** Measures the time from the navigation to the first users, in a browser that knows nothing of the console. */
export async function firstUsers(bench: Bench, subject: Subject): Promise<Contender> {
  const opened = await sharedConsole(bench, subject);
  return async () => {
    const page = await newPage(opened);
    await page.goto(`${opened.tenantUrl}/users`, { waitUntil: 'commit' });
    const value = await page.evaluate<number>(`shown('')`);
    await page.context().close();
    return { value };
  };
}

/**
 * Measures the time from the last key of a search to its results.
 *
 * @param path the page of the list
 * @param textOf what to type in a round: a text that every found row shows, and the first rows of the whole list do not
 */
export function searchResults(path: string, textOf: (round: number) => string): StartContender {
  return async (bench, subject) => {
    const opened = await sharedConsole(bench, subject);
    const page = await newPage(opened);
    bench.atEnd(() => page.context().close());
    await page.goto(`${opened.tenantUrl}/${path}`);
    await page.evaluate(`shown('')`);
    let round = 0;
    return async () => {
      const text = textOf(round++);
      const field = page.getByRole('main').getByRole('searchbox');
      await field.fill('');
      const shown = page.evaluate<number>(`shown(${JSON.stringify(text)})`);
      // Faster than the pause after which the page searches.
      await field.pressSequentially(text, { delay: 50 });
      return { value: await shown };
    };
  };
}

/**
 * Measures the memory of the tab after it scrolled through the list of users, in megabytes. The browser collects the
 * garbage of the rows that went by once it has been idle for a while, so a note gives the maximum in between.
 */
export async function tabMemory(bench: Bench, subject: Subject): Promise<Contender> {
  const opened = await sharedConsole(bench, subject);
  const pages = Math.min(scrolledPages, Math.ceil(subject.users / pageUsers));
  return async () => {
    const page = await newPage(opened);
    await page.goto(`${opened.tenantUrl}/users`);
    let most = 0;
    for (let loaded = 1; loaded <= pages; loaded += 1) {
      const rows = Math.min(subject.users, loaded * pageUsers);
      await page.evaluate(scrollUntil(rows));
      most = Math.max(most, await largestTabMegabytes(opened.browser));
    }
    await delay(idleMs);
    const value = await largestTabMegabytes(opened.browser);
    await page.context().close();
    const scrolled = `${subject.users.toLocaleString('en')} users, ${pages} pages in one go`;
    bench.notes.push(`The tab took up to ${Math.round(most)} MB while it scrolled (${scrolled}).`);
    return { value };
  };
}

/** Scrolls to the end of the loaded rows until the wanted number is loaded. */
function scrollUntil(rows: number): string {
  return `(async () => {
    for (;;) {
      await new Promise(requestAnimationFrame);
      const table = document.querySelector('table');
      if (table === null) continue;
      table.parentElement.scrollTop = table.parentElement.scrollHeight;
      if (Number(table.getAttribute('aria-rowcount')) > ${rows}) return;
    }
  })()`;
}

/** Returns the memory of a tab as Chromium's task manager shows it: the private memory of its process. */
async function largestTabMegabytes(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const tabs = processInfo.filter(({ type }) => type === 'renderer');
  // A process that has ended has no memory.
  return Math.max(...tabs.map(({ id }) => usageOf(id)?.anonymousBytes ?? 0)) / 1e6;
}

async function newPage({ browser, session }: OpenedConsole): Promise<Page> {
  const context = await browser.newContext({
    storageState: session,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
  });
  await context.addInitScript(stopwatch);
  return context.newPage();
}

/** One server and one browser for all rows of one size, on a separate directory, because it gets more stores. */
function sharedConsole(bench: Bench, subject: Subject): Promise<OpenedConsole> {
  return bench.keep(`console ${subject.users} ${subject.root}`, async (run) => {
    const directory = await newDirectory(run, subject);
    const token = await prepare(subject, directory);
    const { url } = await startFieldroster(run, subject, directory);
    const browser = await launchWholeBrowser();
    run.atEnd(() => browser.close());
    return signIn(browser, url, token);
  });
}

/** Adds one store for every {@link usersPerStore} users, and returns the token of an owner's one-time link. */
async function prepare({ root, users }: Subject, { folder }: SeededDirectory): Promise<string> {
  using db = new DatabaseSync(join(folder, 'fieldroster.db'));
  insertStores(db, seeded.stores, Math.floor(users / usersPerStore));
  const server = await serverOf(root);
  const directory = await server.openDirectory({ data: folder, environment: {} });
  const { token } = await server.inviteOperator(directory, { role: 'owner' });
  await directory.database.close();
  return token;
}

async function signIn(browser: Browser, url: string, token: string) {
  const page = await browser.newPage({ locale: 'en-GB' });
  await createAccount(page, `${url}/console/link#${token}`, 'bench', 'correct horse battery staple');
  const session = await page.context().storageState();
  /** Address of the tenant's pages. */
  const tenantUrl = page.url();
  await page.close();
  return { browser, tenantUrl, session };
}
