import type { FirstApplication } from './first-start.ts';

const body = JSON.stringify({
  username: 'ada',
  password: 'correct horse battery staple',
  real_name: 'Ada Park',
});

/** Returns a script for bash, curl and openssl that signs and sends a request to create a user. */
export function firstCall(url: string, { appId, appSecret }: FirstApplication): string {
  const path = `${new URL(url).pathname.replace(/\/$/, '')}/user`;
  const { origin } = new URL(url);
  return `APPID='${appId}'
APPSECRET='${appSecret}'
BODY='${body}'
TIMESTAMP=$(date +%s)
NONCE=$(openssl rand -hex 16)
MD5=$(printf '%s' "$BODY" | openssl dgst -md5 -binary | openssl base64)
SIGNATURE=$(printf 'POST\\n%s\\n%s\\n%s\\n%s' "$MD5" "$TIMESTAMP" "$NONCE" '${path}' |
  openssl dgst -sha256 -hmac "$APPSECRET" -binary | openssl base64)
curl -sS -w '\\n' '${origin}${path}' -H 'Content-Type: application/json' --data-binary "$BODY" \\
  -H "Authorization: cbs:$APPID:$SIGNATURE" -H "Timestamp: $TIMESTAMP" -H "Nonce: $NONCE"`;
}
