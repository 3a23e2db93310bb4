import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';

const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Draws the same pages for four fifths of the processor time, because it has no window around them. */
const headlessShell = 'chromium-headless-shell';

/** Where systems without a command for the browser install it. */
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Finds a Chromium or Chrome for tests: the one that CHROMIUM_PATH names, else an installed one, if possible a headless
 * shell, else the one that Playwright downloaded.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return find([headlessShell, ...wholeBrowsers], environment);
}

/** Finds a browser with a window in the same way, to measure what people see. */
export function findWholeBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return find(wholeBrowsers, environment);
}

function find(commandNames: readonly string[], environment: NodeJS.ProcessEnv): string | undefined {
  const named = environment.CHROMIUM_PATH ?? '';
  if (named !== '') return isExecutable(named) ? named : undefined;
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const commands = commandNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  const installed = [...commands, ...usualPlaces].find(isExecutable);
  return installed ?? [downloaded()].find(isExecutable);
}

/** Loads Playwright only here: that takes half a second, and every test run looks for a browser. */
function downloaded(): string {
  const { chromium }: typeof import('playwright-core') = createRequire(import.meta.url)('playwright-core');
  return chromium.executablePath();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
