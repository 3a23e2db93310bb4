import { FieldrosterClient } from '@fieldroster/client';
import type { Sample } from '../measurement.ts';
import { serveParent } from '../process/parent.ts';
import { givenStores, newUser } from '../scenarios/batch-traffic.ts';

/**
 * Arguments: where a server is, whose application calls, how many users it has, how many go into one call, and
 * whether they are `new` or those who are there.
 */
const [url = '', appId = '', appSecret = '', users = '', entriesPerCall = '', kind = ''] =
  process.argv.slice(2);
const client = new FieldrosterClient({ url, appId, appSecret, timeoutMs: 120_000 });
const usersPerRound = 10_000;
let sent = 0;

serveParent(undefined, async (seconds): Promise<Sample> => {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let done = 0;
  let failures = 0;
  while (done < usersPerRound && performance.now() < endsAt) {
    const failed = Number(entriesPerCall) === 1 ? await callOnce() : await callBatch();
    failures += failed;
    done += Number(entriesPerCall);
  }
  return { value: (done - failures) / ((performance.now() - startedAt) / 1000), failures };
});

async function callOnce(): Promise<number> {
  await client.batchUpdateUserStores(nextUser());
  return 0;
}

async function callBatch(): Promise<number> {
  const entries = Array.from({ length: Number(entriesPerCall) }, nextUser);
  const { created, updated } = await client.batchUsers({ users: entries });
  return entries.length - (kind === 'new' ? created : updated);
}

function nextUser() {
  const position = sent++;
  return kind === 'new' ? newUser(position) : givenStores(position, Number(users));
}
