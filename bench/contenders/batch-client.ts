import { FieldrosterClient } from '@fieldroster/client';
import { serveParent } from '../process/parent.ts';
import { givenStores } from '../scenarios/payloads.ts';

/** Arguments: the URL of a server, the credentials, its number of users, and the number of users in a batch. */
const [url = '', appId = '', appSecret = '', users = '', usersPerBatch = ''] = process.argv.slice(2);
const client = new FieldrosterClient({ url, appId, appSecret, timeoutMs: 120_000 });
const usersPerRound = 10_000;
let sent = 0;

serveParent(async (seconds) => {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  let [done, failures] = [0, 0];
  while (done < usersPerRound && performance.now() < endsAt) {
    const batch = Array.from({ length: Number(usersPerBatch) }, () => givenStores(sent++, Number(users)));
    const { updated } = await client.batchUsers({ users: batch });
    failures += batch.length - updated;
    done += batch.length;
  }
  return { value: (done - failures) / ((performance.now() - startedAt) / 1000), failures };
});
