import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ConsolePage } from '../../e2e/console/console-page.ts';
import { type ConsoleView, consoleViews, makeCalls, makeLinks, settle } from './console-views.ts';
import { taskViews } from './task-views.ts';

// npm run console:shots                       every view, in both themes, both languages and three widths
// npm run console:shots -- --only users,user  some views
// npm run console:shots -- --variants en-light-1280,zh-dark-390   some variants of them
// npm run console:shots -- --readme           the two pictures of the README

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'packages/console/shots');
const languages = ['en', 'zh'] as const;
const themes = ['light', 'dark'] as const;
const sizes = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const;

const { values } = parseArgs({
  options: { only: { type: 'string' }, variants: { type: 'string' }, readme: { type: 'boolean' } },
});
const allViews = [...consoleViews, ...taskViews];
const variants = values.variants?.split(',');
const opened = await ConsolePage.open();
try {
  if (values.readme === true) await takeReadmePictures();
  else await takeAll(chosenViews());
} finally {
  await opened.close();
}

function chosenViews(): readonly ConsoleView[] {
  const names = values.only?.split(',') ?? allViews.map(({ name }) => name);
  return names.map((name) => {
    const view = allViews.find((candidate) => candidate.name === name);
    if (view === undefined) throw new Error(`--only: no view is called ${name}`);
    return view;
  });
}

async function takeAll(views: readonly ConsoleView[]): Promise<void> {
  await makeCalls(opened);
  // It has no entries.
  await opened.change('POST', '/tenants', { name: 'acme' });
  await makeLinks(opened);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const language of languages) {
    for (const theme of themes) {
      await choose(language, theme);
      for (const view of views) await takeView(view, `${language}-${theme}`);
    }
  }
  // Some views show what the server refuses.
  const refusal = /^Failed to load resource: .* status of 40[14] /;
  const others = opened.complaints.filter((complaint) => !refusal.test(complaint));
  opened.complaints.splice(0, opened.complaints.length, ...others);
  process.stdout.write(`screenshots of ${views.length} views are in packages/console/shots\n`);
}

async function choose(language: (typeof languages)[number], theme: (typeof themes)[number]): Promise<void> {
  await opened.page.evaluate(
    ([chosenLanguage, chosenTheme]) => {
      localStorage.setItem('fieldroster-language', chosenLanguage);
      localStorage.setItem('fieldroster-theme', chosenTheme);
    },
    [language, theme] as const,
  );
}

async function takeView(view: ConsoleView, variant: string): Promise<void> {
  for (const size of sizes) {
    const name = `${variant}-${size.width}`;
    if (variants?.includes(name) === false) continue;
    await show(view, size);
    await opened.page.screenshot({ path: join(folder, `${view.name}-${name}.png`) });
    await view.afterwards?.(opened.page);
  }
}

async function show(
  view: ConsoleView,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await opened.page.setViewportSize(size);
  if (view.path.startsWith('/')) await opened.page.goto(`${opened.origin}/console${view.path}`);
  else await opened.goTo(view.path);
  await settle(opened);
  if (view.prepare === undefined) return;
  await view.prepare(opened.page);
  await settle(opened);
}

async function takeReadmePictures(): Promise<void> {
  const view = { name: 'user', path: 'users/3' };
  // A blank page has no settings to choose.
  await opened.goTo('');
  for (const theme of themes) {
    await choose('en', theme);
    await show(view, { width: 1280, height: 760 });
    await opened.page.screenshot({ path: join(root, `docs/images/console-${theme}.png`) });
  }
}
