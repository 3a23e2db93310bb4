import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { canonicalResource, type PlusReading, parseQuery, splitTarget } from './canonical-resource.ts';
import { contentMd5, contentMd5Participates } from './content-md5.ts';
import * as onNode from './crypto/node.ts';
import * as portable from './crypto/portable.ts';
import {
  formatAuthorization,
  MalformedQueryError,
  parseAuthorization,
  type ReceivedRequest,
  type Secret,
  secretKey,
  signature,
  signRequest,
  stringToSign,
  type VerifyOptions,
  verifyRequest,
} from './index.ts';

interface Body {
  readonly body?: string;
  readonly bodyBase64?: string;
}

interface Vector extends Body {
  readonly id: string;
  readonly why: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly omitContentMd5?: boolean;
  readonly plus?: PlusReading;
  readonly signer?: 'refuses' | 'cannot-express';
  readonly parameters: readonly [string, string][] | null;
  readonly contentMd5: string | null;
  readonly canonicalResource: string | null;
  readonly stringToSign: string | null;
  readonly signature: string | null;
  readonly authorization: string;
  readonly verification: {
    readonly nowSeconds: number;
    readonly secrets: readonly string[] | null;
    readonly received?: Body & Partial<Record<'authorization' | 'timestamp' | 'nonce', string | null>>;
    readonly outcome: string;
    readonly secretIndex?: number;
    readonly parameters?: readonly [string, string][];
    readonly stringsToSign?: readonly string[];
    readonly header?: string;
    readonly differenceSeconds?: number;
  };
}

const directory = new URL('../vectors/', import.meta.url);
const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
const themes = files.map((name) => JSON.parse(readFileSync(new URL(name, directory), 'utf8')));
const vectors: readonly Vector[] = themes.flatMap((theme) => theme.vectors);

function bytesOf(body: Body): Uint8Array {
  if (body.bodyBase64 !== undefined) return Uint8Array.from(Buffer.from(body.bodyBase64, 'base64'));
  return new TextEncoder().encode(body.body ?? '');
}

function sign(vector: Vector) {
  return signRequest({
    appId: vector.appId,
    appSecret: vector.appSecret,
    method: vector.method,
    target: vector.target,
    body: vector.body ?? bytesOf(vector),
    timestampSeconds: Number(vector.timestamp),
    nonce: vector.nonce,
    omitContentMd5: vector.omitContentMd5,
    plus: vector.plus,
  });
}

function verify(vector: Vector, key: (secret: string) => Secret) {
  const { received = {}, secrets, nowSeconds } = vector.verification;
  const { body, bodyBase64, ...changes } = received;
  const changedBody = body === undefined && bodyBase64 === undefined ? vector : received;
  const given = { ...vector, ...changes, body: bytesOf(changedBody) };
  for (const header of ['authorization', 'timestamp', 'nonce'] as const) {
    Object.assign(given, { [header]: given[header] ?? undefined });
  }
  const findSecrets: VerifyOptions['findSecrets'] = (appId) =>
    appId === vector.appId ? secrets?.map(key) : undefined;
  return verifyRequest(given as ReceivedRequest, {
    findSecrets,
    nowSeconds,
    omitContentMd5: vector.omitContentMd5,
  });
}

function checkStages(vector: Vector): void {
  const { path, query } = splitTarget(vector.target);
  const parameters = parseQuery(query, vector.plus ?? 'space');
  const pairs = parameters.map(({ name, value }) => [name, value]);
  assert.deepEqual(pairs, vector.parameters);
  assert.equal(canonicalResource(path, parameters), vector.canonicalResource);

  const body = bytesOf(vector);
  const participates = vector.omitContentMd5 !== true && contentMd5Participates(vector.method, body.length);
  assert.equal(participates ? contentMd5(body) : null, vector.contentMd5);

  const text = stringToSign({
    method: vector.method,
    contentMd5: vector.contentMd5 ?? undefined,
    timestamp: vector.timestamp,
    nonce: vector.nonce,
    canonicalResource: vector.canonicalResource as string,
  });
  assert.equal(text, vector.stringToSign);
  assert.equal(signature(vector.appSecret, text), vector.signature);
  assert.equal(formatAuthorization(vector.appId, vector.signature as string), vector.authorization);
  assert.deepEqual(parseAuthorization(vector.authorization), {
    appId: vector.appId,
    signature: vector.signature,
  });
}

const implementations: readonly (typeof onNode)[] = [onNode, portable];

function checkCrypto(vector: Vector): void {
  for (const crypto of implementations) {
    const key = crypto.importSecret(vector.appSecret);
    assert.equal(crypto.hmacSha256Base64(key, vector.stringToSign as string), vector.signature);
    if (vector.contentMd5 !== null) assert.equal(crypto.md5Base64(bytesOf(vector)), vector.contentMd5);
  }
}

function checkSigner(vector: Vector): void {
  if (vector.signer === 'refuses') {
    assert.throws(() => sign(vector), vector.signature === null ? MalformedQueryError : TypeError);
    return;
  }
  const { headers, ...stages } = sign(vector);
  assert.deepEqual(headers, {
    Authorization: vector.authorization,
    Timestamp: vector.timestamp,
    Nonce: vector.nonce,
  });
  assert.equal(stages.stringToSign, vector.stringToSign);
  assert.equal(stages.contentMd5, vector.contentMd5 ?? undefined);
  assert.equal(stages.canonicalResource, vector.canonicalResource);
}

function checkVerifier(vector: Vector): void {
  const { received = {}, ...expected } = vector.verification;
  const result = verify(vector, (secret) => secret);
  assert.deepEqual(verify(vector, secretKey), result, 'an imported key gives the same answer');
  assert.equal(result.outcome, expected.outcome);
  if (result.outcome === 'verified') {
    const pairs = result.parameters.map(({ name, value }) => [name, value]);
    assert.deepEqual(pairs, expected.parameters ?? vector.parameters);
    assert.equal(result.secretIndex, expected.secretIndex);
    assert.equal(result.path, splitTarget(vector.target).path);
    assert.equal(result.timestampSeconds, Number(vector.timestamp));
    assert.equal(result.nonce, vector.nonce);
    assert.equal(`cbs:${result.appId}:${result.signature}`, received.authorization ?? vector.authorization);
  }
  if (result.outcome === 'mismatch') assert.deepEqual(result.stringsToSign, expected.stringsToSign);
  if (result.outcome === 'malformed-header') assert.equal(result.header, expected.header);
  if (result.outcome === 'expired') assert.equal(result.differenceSeconds, expected.differenceSeconds);
}

for (const { theme, about, vectors } of themes) {
  describe(`vectors/${theme}: ${about}`, () => {
    for (const vector of vectors as readonly Vector[]) {
      test(`${vector.id}: ${vector.why}`, () => {
        if (vector.stringToSign !== null) {
          checkStages(vector);
          checkCrypto(vector);
        }
        if (vector.signer !== 'cannot-express') checkSigner(vector);
        checkVerifier(vector);
      });
    }
  });
}

test('the vectors reach every outcome of verification', () => {
  const outcomes = new Set(vectors.map((vector) => vector.verification.outcome));
  assert.deepEqual([...outcomes].sort(), [
    'expired',
    'malformed-header',
    'malformed-query',
    'mismatch',
    'unknown-application',
    'verified',
  ]);
});

test('the vectors equal those of the independent derivation', () => {
  const script = fileURLToPath(new URL('derive.py', directory));
  const run = spawnSync('python3', [script, '--check'], { encoding: 'utf8' });
  assert.equal(run.error, undefined, `python3 is needed to derive the vectors: ${run.error?.message}`);
  assert.equal(run.status, 0, run.stdout + run.stderr);
});
