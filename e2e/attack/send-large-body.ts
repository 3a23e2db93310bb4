import { type Credentials, type Envelope, signText } from '../signed-client.ts';
import type { LargeBody } from './large-bodies.ts';

/** Signs and sends a body of about that many bytes, however long its answer takes. */
export async function sendLargeBody(
  url: string,
  credentials: Credentials,
  { target, make }: LargeBody,
  bytes: number,
): Promise<Envelope> {
  const { method, headers, body } = signText(credentials, 'POST', target, make(bytes));
  const response = await fetch(new URL(target, url), { method, headers, body: body ?? null });
  return (await response.json()) as Envelope;
}
