import { signRequest } from '@fieldroster/signing';

/** A request as a server receives it, and what it was signed with. */
export function signedPost() {
  const [method, target, appSecret, nowSeconds] = [
    'POST',
    '/user/store',
    'a secret of the benchmark',
    1_800_000_000,
  ];
  const body = Buffer.from(
    JSON.stringify({ user_id: 123_456, store_code: 'S0012345', note: 'x'.repeat(11) }),
  );
  const signed = signRequest({
    appId: 'bench',
    appSecret,
    method,
    target,
    body,
    timestampSeconds: nowSeconds,
  });
  const { Authorization: authorization, Timestamp: timestamp, Nonce: nonce } = signed.headers;
  const received = { method, target, authorization, timestamp, nonce, body };
  return { received, appSecret, nowSeconds, stringToSign: signed.stringToSign };
}
