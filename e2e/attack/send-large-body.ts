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

/** A request as `fetch` takes it. */
interface LargeRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Signs and sends a body of about that many bytes, however long its answer takes. */
export function sendLargeBody(
  url: string,
  credentials: Credentials,
  { target, make }: LargeBody,
  bytes: number,
): Promise<Envelope> {
  return sendInThread(new URL(target, url), signText(credentials, 'POST', target, make(bytes)));
}

/** Sends a request in a thread, because writing so much would hold up a measurement of other requests. */
export async function sendInThread(
  { href }: URL,
  { method, headers, body }: LargeRequest,
): Promise<Envelope> {
  const init = { method, headers, body: new TextEncoder().encode(body ?? '') };
  const sender = new Worker(senderCode, {
    eval: true,
    execArgv: [],
    workerData: { url: href, init },
    transferList: [init.body.buffer],
  });
  const [envelope] = (await once(sender, 'message')) as [Envelope];
  return envelope;
}
