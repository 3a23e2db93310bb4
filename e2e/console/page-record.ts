import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';

/** The status of a refused request, or the browser's words for one that was not answered. */
export type Failure = number | `net::${string}`;

const busy = 'the server responded with a status of 503 ';

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

  /**
   * Forgets the complaints, once it has asserted that some report one of these failures and none reports another. A busy
   * server may refuse a call with 503, which the page repeats.
   */
  expectReports(failures: readonly Failure[]): void {
    const reports = failures.map((failure) =>
      typeof failure === 'number' ? `the server responded with a status of ${failure} ` : `${failure} `,
    );
    const complaints = this.complaints.splice(0);
    const reportsOneOf = (all: readonly string[], line: string) =>
      all.some((report) => line.startsWith(`Failed to load resource: ${report}`));
    assert(
      complaints.some((line) => reportsOneOf(reports, line)),
      `the browser reports ${failures.join(' or ')}, not ${JSON.stringify(complaints)}`,
    );
    const others = complaints.filter((line) => !reportsOneOf([...reports, busy], line));
    assert.deepEqual(others, [], `the browser reports only ${failures.join(' or ')}`);
  }

  /** Asserts that the browser complained about nothing and asked nobody but the server. */
  requireNoFault(): void {
    assert.deepEqual(this.complaints, [], 'the browser has nothing to complain about');
    const elsewhere = this.#requested.filter((url) => !url.startsWith('http://127.0.0.1:'));
    assert.deepEqual(elsewhere, [], 'no request leaves the server');
  }
}
