import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';

/** What a page asked for, and what the browser complained about meanwhile. */
export class PageRecord {
  /** The browser's complaints, including violations of the content security policy. */
  readonly complaints: string[] = [];
  /** Requests that are not answered yet. */
  readonly pending = new Set<Request>();
  readonly #requested: string[] = [];

  constructor(page: Page) {
    page.on('console', (message) => this.complaints.push(`${message.text()} ${message.location().url}`));
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('request', (request) => {
      this.#requested.push(request.url());
      this.pending.add(request);
    });
    page.on('requestfinished', (request) => this.pending.delete(request));
    page.on('requestfailed', (request) => this.pending.delete(request));
  }

  /** Asserts that the browser complained about nothing and asked nobody but the server. */
  requireNoFault(): void {
    assert.deepEqual(this.complaints, [], 'the browser has nothing to complain about');
    const elsewhere = this.#requested.filter((url) => !url.startsWith('http://127.0.0.1:'));
    assert.deepEqual(elsewhere, [], 'no request leaves the server');
  }
}
