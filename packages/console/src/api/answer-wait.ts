interface SizedRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/** Longer than the server works on a small request, which is ten seconds. */
const ordinaryMs = 30_000;

/** A removal or a move may change 50,000 assignments. The server gives itself 110 seconds for that. */
const manyChangesMs = 150_000;

/** A change of many users may change 200,000. The server gives itself 410 seconds for that. */
const mostChangesMs = 450_000;

const changesOfUsers = /\/(?:users\/batch|change-users)$/;

/** Added for each mebibyte of the body. The server gives itself half of it. */
const perMebibyteMs = 16_000;

/** Returns how long to wait for an answer, in milliseconds. */
export function answerWaitMs({ method, url, body = '' }: SizedRequest): number {
  return changesMs(method, url) + (body.length / 2 ** 20) * perMebibyteMs;
}

function changesMs(method: string, url: string): number {
  if (changesOfUsers.test(url)) return mostChangesMs;
  return method === 'DELETE' || url.endsWith('/move-stores') ? manyChangesMs : ordinaryMs;
}
