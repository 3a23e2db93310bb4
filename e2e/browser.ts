import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.ts';

/** The browser may reach only the server under test, and must leave nothing behind. */
const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

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
