import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Draws the same pages for four fifths of the processor time, because it has no window around them. */
const headlessShell = 'chromium-headless-shell';

/** Where systems that have no command for it install a browser. */
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The browser may reach only the server under test, and must leave nothing behind. */
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/**
 * Finds a Chromium or Chrome for tests: the one that CHROMIUM_PATH names, else an installed one, if possible a headless
 * shell, else the one that Playwright downloaded.
 */
export function findChromium(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return find([headlessShell, ...wholeBrowsers], environment);
}

/** Finds one likewise that people use, for measurements of what they see. */
export function findWholeBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return find(wholeBrowsers, environment);
}

function find(commandNames: readonly string[], environment: NodeJS.ProcessEnv): string | undefined {
  const named = environment.CHROMIUM_PATH ?? '';
  if (named !== '') return isExecutable(named) ? named : undefined;
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const commands = commandNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...commands, ...usualPlaces, chromium.executablePath()].find(isExecutable);
}

/** Starts a browser with a fresh profile, which is removed when the browser is closed. */
export async function launchBrowser(executablePath = findChromium()): Promise<Browser> {
  if (executablePath === undefined) {
    throw new Error(
      'no Chromium was found: set CHROMIUM_PATH, or on Debian: sudo apt-get install chromium, ' +
        'or elsewhere: npx playwright-core install chromium',
    );
  }
  return chromium.launch({ executablePath, headless: true, args: flags });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
