interface SizedRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/** Longer than the server works on a small request, which is ten seconds. */
const ordinaryMs = 30_000;

/** A small request may change 50,000 assignments or more. The server gives itself 110 seconds for so many. */
const manyChangesMs = 150_000;

/** Requests that replace or move lists of stores, apart from removals. */
const changesOfMany = /\/(?:users\/batch|change-users|move-stores)$/;

/** Added for each mebibyte of the body. The server gives itself half of it. */
const perMebibyteMs = 16_000;

/** Returns how long to wait for an answer, in milliseconds. */
export function answerWaitMs({ method, url, body = '' }: SizedRequest): number {
  const mayChangeMany = method === 'DELETE' || changesOfMany.test(url);
  return (mayChangeMany ? manyChangesMs : ordinaryMs) + (body.length / 2 ** 20) * perMebibyteMs;
}
