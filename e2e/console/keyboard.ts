import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ConsolePage } from './console-page.ts';

/** More presses of Tab than any path in these tests needs. */
const pressesMax = 80;

/** Somebody who has only the keyboard, and must see at each step where the focus is. */
export class Keyboard {
  readonly #opened: ConsolePage;

  constructor(opened: ConsolePage) {
    this.#opened = opened;
  }

  /** Waits until an element has the focus. */
  async hasFocus(element: Locator): Promise<void> {
    await element.and(this.#opened.page.locator(':focus')).waitFor();
  }

  /** Presses a key, and asserts that the focused element is then on the screen and marked. */
  async press(key: string): Promise<void> {
    await this.#opened.page.keyboard.press(key);
    await this.#opened.settled();
    // A button that works gets the focus back only when the page has read the answer, which is later than its arrival.
    await this.#opened.page.locator('button[data-loading]').first().waitFor({ state: 'detached' });
    await this.#opened.settled();
    const focus = await this.#opened.page.evaluate<string>(describeFocus);
    assert.equal(focus.replace(/^seen .*/, 'seen'), 'seen', `after ${key}: ${focus}`);
  }

  /** Moves the focus to an element, and asserts that it is in view at each step. */
  async go(element: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const { page } = this.#opened;
    await this.#opened.settled();
    for (let presses = 0; presses < pressesMax; presses++) {
      if ((await element.and(page.locator(':focus')).count()) > 0) return;
      await page.keyboard.press(key);
      const focus = await page.evaluate<string>(describeFocus);
      assert.match(focus, /^seen|^nowhere/, `on the way to ${element}: ${focus}`);
    }
    assert.fail(`${element} is not reached by ${key}`);
  }
}

/** Says where the focus is: `seen`, `nowhere` on the page, or why it is not seen. */
export const describeFocus = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'nowhere';
  // A segmented control hides its radio button, and shows the label beside it.
  const shown = element.type === 'radio' ? element.nextElementSibling : element;
  const { top, bottom, left, right, width } = shown.getBoundingClientRect();
  const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).slice(0, 40);
  const isInView = width > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  if (!isInView) return 'out of view: ' + name;
  return (element.matches(':focus-visible') ? 'seen ' : 'not marked: ') + name;
})()`;
