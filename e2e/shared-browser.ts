import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';

/** Long enough for the next test file of the process to begin. */
const keptMs = 1_000;

let shared: Promise<Browser> | undefined;
let borrowers = 0;
let closing: NodeJS.Timeout | undefined;

/**
 * Lends the browser that the test files of a process share, because starting one takes a second. A test takes a context
 * of its own, which has its own cookies, storage and cache. Return the browser by `returnBrowser`, never close it.
 */
export async function borrowBrowser(): Promise<Browser> {
  borrowers++;
  clearTimeout(closing);
  try {
    if ((await shared)?.isConnected() !== true) shared = undefined;
    shared ??= launchBrowser();
    return await shared;
  } catch (error) {
    shared = undefined;
    borrowers--;
    throw error;
  }
}

/** Closes the browser unless the next test file borrows it. */
export function returnBrowser(): void {
  borrowers--;
  if (borrowers > 0) return;
  closing = setTimeout(async () => {
    const browser = shared;
    shared = undefined;
    await (await browser)?.close();
  }, keptMs);
}
