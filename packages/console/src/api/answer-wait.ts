interface SizedRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/** Longer than the server works on a small request, which is ten seconds. */
const ordinaryMs = 30_000;

/** A small request may remove 50,000 assignments. The server gives itself up to 110 seconds for so many. */
const removalMs = 150_000;

/** Added for each mebibyte of the body. The server gives itself half of it. */
const perMebibyteMs = 16_000;

/** Returns how long to wait for an answer, in milliseconds. */
export function answerWaitMs({ method, url, body = '' }: SizedRequest): number {
  // A batch of users replaces their lists of stores, and a list may be empty.
  const mayRemoveMany = method === 'DELETE' || url.endsWith('/users/batch');
  return (mayRemoveMany ? removalMs : ordinaryMs) + (body.length / 2 ** 20) * perMebibyteMs;
}
