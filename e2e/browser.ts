import { type Browser, chromium } from 'playwright-core';
import { findChromium, findWholeBrowser } from './find-chromium.ts';

/** The browser may reach only the server under test, and must leave nothing behind. */
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/**
 * The pages of tests are too short-lived for optimized code to repay its compilation, or for the garbage of a page to be
 * collected before the page ends. Together, this saves a tenth of the processor time.
 */
const forShortLivedPages = '--js-flags=--no-opt --no-maglev --min-semi-space-size=64 --single-threaded';

/** Starts a browser for tests with a fresh profile, which is removed when the browser is closed. */
export function launchBrowser(): Promise<Browser> {
  return launch(findChromium(), [...flags, forShortLivedPages]);
}

/** Starts a browser with a window in the same way, to measure what people see. */
export function launchWholeBrowser(): Promise<Browser> {
  return launch(findWholeBrowser(), flags);
}

async function launch(executablePath: string | undefined, args: string[]): Promise<Browser> {
  if (executablePath === undefined) {
    throw new Error(
      'no Chromium was found: set CHROMIUM_PATH, or on Debian: sudo apt-get install chromium, ' +
        'or elsewhere: npx playwright-core install chromium',
    );
  }
  const browser = await chromium.launch({ executablePath, headless: true, args });
  // Playwright's own limit of 30 seconds is too short on a busy machine.
  browser.on('context', (context) => context.setDefaultTimeout(90_000));
  return browser;
}
