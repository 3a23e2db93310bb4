import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

const withinMs = 90_000;

/** Waits until an expression is true in the page; asks after each frame, because the policy refuses `waitForFunction`. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  const deadline = Date.now() + withinMs;
  while ((await page.evaluate(expression)) !== true) {
    assert(Date.now() < deadline, `never true: ${expression}`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}
