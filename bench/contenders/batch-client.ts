import { FieldrosterClient } from '@fieldroster/client';
import { serveParent, timeOnce } from '../process/parent.ts';
import { givenBatch } from '../scenarios/payloads.ts';

/** Arguments: the URL of a server, the credentials, its number of users, and the number of users in a batch. */
const [url = '', appId = '', appSecret = '', users = '', usersOfBatch = ''] = process.argv.slice(2);
const client = new FieldrosterClient({ url, appId, appSecret, timeoutMs: 120_000 });
let sent = 0;

/** Our client sends a batch of known users with other stores. */
serveParent(() => {
  const batch = givenBatch(sent++, Number(usersOfBatch), Number(users));
  return timeOnce(batch.length, async () => {
    const { updated } = await client.batchUsers({ users: batch });
    return updated;
  });
});
