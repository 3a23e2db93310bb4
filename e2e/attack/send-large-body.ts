import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Credentials, type Envelope, signText } from '../signed-client.ts';
import type { LargeBody } from './large-bodies.ts';

/** Inline, because it needs nothing but what Node.js has. */
const senderCode = `
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { url, init } = workerData;
  fetch(url, init).then((response) => response.json()).then((envelope) => parentPort.postMessage(envelope));
`;

/**
 * Signs and sends a body of about that many bytes, however long its answer takes. Sends it in a thread, because writing
 * so much would hold up a measurement of other requests.
 */
export async function sendLargeBody(
  url: string,
  credentials: Credentials,
  { target, make }: LargeBody,
  bytes: number,
): Promise<Envelope> {
  const { method, headers, body } = signText(credentials, 'POST', target, make(bytes));
  const init = { method, headers, body: new TextEncoder().encode(body ?? '') };
  const sender = new Worker(senderCode, {
    eval: true,
    execArgv: [],
    workerData: { url: new URL(target, url).href, init },
    transferList: [init.body.buffer],
  });
  const [envelope] = (await once(sender, 'message')) as [Envelope];
  return envelope;
}
