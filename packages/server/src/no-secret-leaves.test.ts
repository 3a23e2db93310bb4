import assert from 'node:assert/strict';
import { pbkdf2Sync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  type Answer,
  applications,
  type Credentials,
  type Overrides,
  startTestServer,
  vaultKey,
} from '../test/test-server.ts';
import { rotateSecret } from './admin/applications.ts';

/** Sends requests of every kind with planted passwords and secrets, then searches for them everywhere. */

const server = await startTestServer({ settings: { bodyBytesMax: 2048 }, lockWaitMs: 20 });
after(() => server.close());

const passwords = {
  created: 'planted-password-created',
  updated: 'planted-password-updated',
  batched: 'planted-password-batched',
  refused: 'planted-password-refused',
  tooLong: 'planted-password-too-long-'.repeat(10),
  unparsed: 'planted-password-unparsed',
  failed: 'planted-password-failed',
  checked: 'planted-password-checked',
  imported: 'planted-password-imported',
  inQuery: 'planted-password-in-query',
};

/** PBKDF2 hash of the password above; checking the password replaces it. */
const importedHash = `$pbkdf2-sha256$i=1000$${'A'.repeat(22)}$${pbkdf2Sync(
  passwords.imported,
  Buffer.alloc(16),
  1000,
  32,
  'sha256',
)
  .toString('base64')
  .replace('=', '')}`;
const importedTag = importedHash.split('$').at(-1) ?? '';

const bodyMarker = 'planted-nickname';

interface Sent {
  readonly answer: Answer;
  readonly signature: string;
  readonly echoesPassword: boolean;
}

const sent: Sent[] = [];
let count = 0;

async function send(
  method: string,
  target: string,
  body?: unknown,
  overrides: Overrides = {},
): Promise<Answer> {
  count += 1;
  const nonce = `planted-nonce-${count}`;
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const { headers } = server.sign(method, target, text, { ...overrides, nonce });
  const answer = await server.call(method, target, text, { ...overrides, nonce });
  const signature = headers.Authorization.split(':').at(-1) ?? '';
  const echoesPassword = method === 'POST' && target === '/user' && answer.envelope.code === 0;
  sent.push({ answer, signature, echoesPassword });
  return answer;
}

const { main } = applications;
const rotated: Credentials = await rotateSecret(server, main.appId, 60_000);
await server.app.applications.refresh();

const profile = { nickname: bodyMarker, email: `${bodyMarker}@example.com` };
const created = await send('POST', '/user', { username: 'u1', password: passwords.created, ...profile });
const { id } = created.envelope.data as { id: number };
await send('PUT', '/user', { id, password: passwords.updated, ...profile }, { as: rotated });
await send('POST', '/user/stores', { username: 'u2', password: passwords.batched, ext_info: bodyMarker });
await send('POST', '/user/role', { user_id: id, role_id: 7 });
await send('POST', '/user/store', { user_id: id, store_code: 'S001' });
await send('GET', `/user?user_id=${id}`);
await send('POST', '/user', { username: 'u1', password: passwords.refused, ...profile });
await send('POST', '/user', { username: 'u3', password: passwords.tooLong });
await send('POST', '/user', { username: 'u3', password: [passwords.refused] });
await send('POST', '/user', `{"username":"u3","password":"${passwords.unparsed}",}`);
await send('POST', '/user', `${passwords.unparsed}`);
await send('POST', '/user', { username: 'u3', password: passwords.refused }, { as: applications.reader });
await send('POST', '/user', { username: 'u3', password: passwords.refused }, { timestampSeconds: 1 });
await send('POST', '/user', { username: 'u3', password: passwords.refused }, { signedBody: '{}' });
await send('POST', '/user', { password: passwords.refused, padding: 'x'.repeat(3000) });
await send('POST', '/user/stores', {
  username: 'u2',
  password: passwords.refused,
  store_codes: ['none'],
  ext_info: bodyMarker,
});
await send('GET', '/user', undefined, {
  headers: { Authorization: `Bearer ${main.appSecret}` },
});
await send('GET', '/user', undefined, { headers: { Authorization: `cbs:${main.appId} ${main.appSecret}` } });
await server.whileLocked(() => send('POST', '/user', { username: 'u4', password: passwords.failed }));
await send('POST', '/users/batch', {
  users: [
    { username: 'u5', password: passwords.batched },
    { username: 'u6', password_hash: importedHash, ext_info: bodyMarker },
    { username: 'u7', password_hash: `${importedHash}$` },
    { username: 'u7', password: passwords.refused, password_hash: importedHash },
  ],
});
await send('POST', '/user/password/check', { username: 'u5', password: passwords.checked });
await send('POST', '/user/password/check', { username: 'u6', password: passwords.imported });
await send('DELETE', '/user?username=u2');
await send('GET', `/audit?${passwords.inQuery}`);
for (const query of [
  `password=%${passwords.inQuery}`,
  `password=%FF${passwords.inQuery}`,
  `password=a&%${passwords.inQuery}`,
  `password=a&%26${passwords.inQuery}`,
  `password=a&%26${passwords.inQuery}=`,
]) {
  const { headers } = server.sign('POST', '/user/password/check', '{}');
  const answer = await server.send({
    method: 'POST',
    target: `/user/password/check?${query}`,
    headers,
    body: '{}',
  });
  sent.push({ answer, signature: headers.Authorization.split(':').at(-1) ?? '', echoesPassword: false });
}
// These callers alone read their string to sign in the answer.
for (const rest of [passwords.inQuery, `${passwords.inQuery}=`])
  await server.call('GET', `/user?password=${passwords.inQuery}&${rest}`, undefined, {
    signedMethod: 'POST',
  });
await server.database.bookkeeping.flush();
const failedCalls = await server.bookkeeping.selectFrom('failed_call').selectAll().execute();
const auditRows = await server.db.selectFrom('audit_event').selectAll().execute();
const files = readdirSync(server.folder).map((name) => readFileSync(join(server.folder, name)));
await server.breakDatabase();
await send('POST', '/user', { username: 'u4', password: passwords.failed, ...profile });

const appSecrets = [main.appSecret, applications.reader.appSecret, rotated.appSecret];
const keys = [vaultKey.toString('base64'), vaultKey.toString('hex')];
const signatures = sent.map((each) => each.signature);
const everyPassword = [...Object.values(passwords), importedTag];

function assertFree(text: string, forbidden: readonly string[], where: string): void {
  for (const each of forbidden)
    assert(!text.includes(each), `${where} holds ${each}: ${text.slice(0, 2000)}`);
}

test('the requests got every kind of answer that they were meant to get', () => {
  const codes = new Set(sent.map((each) => each.answer.envelope.code));
  const expected = [0, 1001, 1002, 1004, 1011, 1012, 1014, 1016, 1102, 1104, 1401, 1500, 1503];
  assert.deepEqual([...codes].sort(), expected.sort());
});

test('no log line holds a password, a hash, a secret, a key, a signature or anything of a body', () => {
  const log = server.logLines.join('');
  assert(server.logLines.length >= sent.length);
  assertFree(
    log,
    [...everyPassword, ...appSecrets, ...keys, ...signatures, bodyMarker, '$argon2id$'],
    'the log',
  );
});

test('no response holds a password, a hash, a secret, a key or a signature, except the password that a creation repeats', () => {
  for (const { answer, echoesPassword } of sent) {
    const text = `${JSON.stringify(answer.headers)} ${answer.text}`;
    const forbidden = echoesPassword ? [] : everyPassword;
    assertFree(text, [...forbidden, ...appSecrets, ...keys, ...signatures, '$argon2id$'], 'a response');
  }
  assert.equal(sent.filter((each) => each.echoesPassword).length, 1);
});

test('no audit row holds a password, a hash, a secret, a key or a signature', () => {
  const rows = JSON.stringify(auditRows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  assert(rows.includes(bodyMarker), 'audit rows tell what changed');
  assertFree(rows, [...everyPassword, ...appSecrets, ...keys, ...signatures, '$argon2id$'], 'the audit');
});

test('no failed call on record holds a password, a hash, a secret, a key, a signature or anything of a body', () => {
  assert(failedCalls.some(({ code, strings_to_sign }) => code === 1014n && strings_to_sign !== null));
  const rows = JSON.stringify(failedCalls, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const forbidden = [...everyPassword, ...appSecrets, ...keys, ...signatures, bodyMarker, '$argon2id$'];
  assertFree(rows, forbidden, 'the record of failed calls');
});

test('the database files hold no password and no secret in plain text', () => {
  const forbidden = [...Object.values(passwords), ...appSecrets, ...keys, ...signatures];
  for (const bytes of files) {
    for (const each of forbidden) assert(!bytes.includes(each), `a database file holds ${each}`);
  }
  assert(
    files.some((bytes) => bytes.includes('$argon2id$')),
    'the hashes are there',
  );
});
