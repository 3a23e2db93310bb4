import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type RequestToSign, signRequest } from './sign-request.ts';
import { type SecretKey, secretKey, signature } from './signature.ts';
import { type ReceivedRequest, type VerifyOptions, verifyHead, verifyRequest } from './verify-request.ts';

const now = 1700000000;
const base = { appId: 'app', appSecret: 'secret', method: 'GET', target: '/user' } as const;

/** Signs a request and returns it as a server would receive it. */
function deliver(change: Partial<RequestToSign> = {}): ReceivedRequest {
  const request = { ...base, timestampSeconds: now, nonce: 'nonce', ...change };
  const { headers } = signRequest(request);
  const body = request.body ?? '';
  return {
    method: request.method,
    target: request.target,
    authorization: headers.Authorization,
    timestamp: headers.Timestamp,
    nonce: headers.Nonce,
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  };
}

function verify(received: ReceivedRequest, change: Partial<VerifyOptions> = {}) {
  const findSecrets = (appId: string) => (appId === 'app' ? ['secret'] : undefined);
  return verifyRequest(received, { findSecrets, nowSeconds: now, ...change });
}

describe('verifyRequest', () => {
  test('allows the skew in both directions, inclusive', () => {
    for (const [nowSeconds, outcome] of [
      [now - 61, 'expired'],
      [now - 60, 'verified'],
      [now + 60, 'verified'],
      [now + 61, 'expired'],
    ] as const) {
      assert.equal(verify(deliver(), { nowSeconds }).outcome, outcome);
    }
    const strict = verify(deliver(), { nowSeconds: now + 6, timestampSkewSeconds: 5 });
    assert.deepEqual(strict, {
      outcome: 'expired',
      appId: 'app',
      timestampSeconds: now,
      nowSeconds: now + 6,
      differenceSeconds: 6,
    });
  });

  test('refuses every request when the clock is not a number', () => {
    assert.equal(verify(deliver(), { nowSeconds: Number.NaN }).outcome, 'expired');
  });

  test('reports what is wrong with a header, and its limit', () => {
    const cases: [Partial<ReceivedRequest>, string][] = [
      [{ authorization: undefined }, 'Authorization is missing; expected cbs:<APPID>:<Signature>'],
      [
        { authorization: 'cbs:app' },
        'Authorization has 2 parts instead of 3; expected cbs:<APPID>:<Signature>',
      ],
      [
        { timestamp: undefined },
        'Timestamp is missing; expected whole seconds since the Unix epoch, 1 to 16 decimal digits',
      ],
      [
        { timestamp: 'x' },
        'Timestamp is "x", which is not a number of seconds; expected whole seconds since the Unix epoch, 1 to 16 decimal digits',
      ],
      [
        { timestamp: '1767225600123456789' },
        'Timestamp has 19 digits, as nanoseconds have; expected whole seconds since the Unix epoch, 1 to 16 decimal digits',
      ],
      [{ nonce: undefined }, 'Nonce is missing; expected 1 to 36 characters'],
      [
        { authorization: undefined, timestamp: undefined, nonce: undefined },
        'Authorization is missing; expected cbs:<APPID>:<Signature>; the Timestamp and Nonce headers are missing too',
      ],
      [
        { authorization: undefined, nonce: undefined },
        'Authorization is missing; expected cbs:<APPID>:<Signature>; the Nonce header is missing too',
      ],
      [
        { timestamp: 'x', nonce: undefined },
        'Timestamp is "x", which is not a number of seconds; expected whole seconds since the Unix epoch, 1 to 16 decimal digits; the Nonce header is missing too',
      ],
      [
        { authorization: 'cbs:app', timestamp: undefined },
        'Authorization has 2 parts instead of 3; expected cbs:<APPID>:<Signature>; the Timestamp header is missing too',
      ],
      [{ nonce: '' }, 'Nonce is empty; expected 1 to 36 characters'],
      [{ nonce: 'x'.repeat(37) }, 'Nonce has 37 characters; expected 1 to 36 characters'],
    ];
    for (const [change, expected] of cases) {
      const result = verify({ ...deliver(), ...change });
      assert.ok(result.outcome === 'malformed-header');
      assert.equal(`${result.header} ${result.problem}`, expected);
    }
  });

  test('applies another limit on nonces on request', () => {
    const received = deliver({ nonce: 'x'.repeat(36) });
    assert.equal(verify(received, { nonceCharactersMax: 36 }).outcome, 'verified');
    assert.equal(verify(received, { nonceCharactersMax: 35 }).outcome, 'malformed-header');
  });

  test('names the parameter that cannot be decoded', () => {
    const result = verify({ ...deliver(), target: '/user?username=%E6' });
    assert.ok(result.outcome === 'malformed-query');
    assert.equal(result.appId, 'app');
    assert.match(result.problem, /"username".*not UTF-8/);
  });

  test('a query has at most 256 parameters, empty ones included', () => {
    const parameters = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=${index}`);
    for (const query of [
      parameters(256).join('&'),
      `${parameters(128).join('&&')}&`,
      `%61+${'&'.repeat(255)}`,
    ])
      assert.equal(verify({ ...deliver({ target: `/user?${query}` }) }).outcome, 'verified', query);
    for (const query of [parameters(257).join('&'), '&'.repeat(256), `%61+${'&k'.repeat(7_600)}`]) {
      const received = { ...deliver(), target: `/user?${query}` };
      const problem = 'the query has more than 256 parameters; send fewer';
      const fault = { kind: 'too-many-parameters', max: 256 } as const;
      assert.deepEqual(verify(received), { outcome: 'malformed-query', appId: 'app', problem, fault });
      assert.throws(() => deliver({ target: received.target }), { name: 'MalformedQueryError', fault });
      const options = { findSecrets: () => undefined };
      assert.deepEqual(verify(received, options), { outcome: 'unknown-application', appId: 'app' });
      assert.equal(verifyHead(received, { ...options, nowSeconds: now }).outcome, 'unknown-application');
    }
  });

  test('returns the reading of plus that was signed', () => {
    for (const [plus, value] of [
      ['space', 'a b'],
      ['literal', 'a+b'],
    ] as const) {
      const result = verify(deliver({ target: '/user?username=a+b', plus }));
      assert.ok(result.outcome === 'verified');
      assert.deepEqual(result.parameters, [{ name: 'username', value }]);
    }
  });

  test('returns the strings to sign of both readings if neither matches', () => {
    const result = verify({ ...deliver(), target: '/user?a=1+2' });
    assert.deepEqual(result, {
      outcome: 'mismatch',
      appId: 'app',
      stringsToSign: [`GET\n${now}\nnonce\n/user?a=1 2`, `GET\n${now}\nnonce\n/user?a=1+2`],
      readings: [
        { plus: 'space', names: 'decoded' },
        { plus: 'literal', names: 'decoded' },
      ],
    });
  });

  test('returns each string to sign once, even if several readings share it', () => {
    const count = (target: string) => {
      const result = verify({ ...deliver(), target });
      assert.ok(result.outcome === 'mismatch');
      assert.equal(result.readings.length, result.stringsToSign.length);
      return result.stringsToSign.length;
    };
    assert.deepEqual(['/user?a=1', '/user?%61=1', '/user?a+b=1', '/user?%61=1+2'].map(count), [1, 2, 2, 4]);
  });

  test('returns the reading of names that was signed', () => {
    const target = '/user?user%5Fid=1&a=b+c';
    for (const [resource, parameters] of [
      [
        '/user?a=b c&user_id=1',
        [
          { name: 'user_id', value: '1' },
          { name: 'a', value: 'b c' },
        ],
      ],
      [
        '/user?a=b+c&user_id=1',
        [
          { name: 'user_id', value: '1' },
          { name: 'a', value: 'b+c' },
        ],
      ],
      [
        '/user?a=b c&user%5Fid=1',
        [
          { name: 'user%5Fid', value: '1' },
          { name: 'a', value: 'b c' },
        ],
      ],
      [
        '/user?a=b+c&user%5Fid=1',
        [
          { name: 'user%5Fid', value: '1' },
          { name: 'a', value: 'b+c' },
        ],
      ],
    ] as const) {
      const signed = signature('secret', `GET\n${now}\nnonce\n${resource}`);
      const result = verify({ ...deliver(), target, authorization: `cbs:app:${signed}` });
      assert.ok(result.outcome === 'verified');
      assert.deepEqual(result.parameters, parameters);
      assert.equal(result.ambiguous, true);
    }
  });

  test('reports a target with one reading as unambiguous', () => {
    const result = verify(deliver({ target: '/user?username=a%20b' }));
    assert.ok(result.outcome === 'verified' && !result.ambiguous);
  });

  test('reports which of two live secrets matched', () => {
    const findSecrets = () => ['older', 'newer'];
    for (const [secretIndex, appSecret] of findSecrets().entries()) {
      const result = verify(deliver({ appSecret }), { findSecrets });
      assert.ok(result.outcome === 'verified');
      assert.equal(result.secretIndex, secretIndex);
    }
  });

  test('leaves out Content-MD5 on request', () => {
    const received = deliver({ method: 'POST', body: 'image', omitContentMd5: true });
    assert.equal(verify(received, { omitContentMd5: true }).outcome, 'verified');
    assert.equal(verify(received).outcome, 'mismatch');
  });

  test('never verifies an unknown application, not even with the decoy key', () => {
    const standIn = 'stands in for a secret that does not exist';
    const received = deliver({ appId: 'nobody', appSecret: standIn });
    assert.deepEqual(verify(received), { outcome: 'unknown-application', appId: 'nobody' });
  });
});

/** Counts the calls that `act` makes to Node's own cryptography, which still runs. */
function countWork(t: TestContext, act: () => void): number[] {
  const spies = (['hash', 'createHmac', 'timingSafeEqual'] as const).map((name) =>
    t.mock.method(crypto, name),
  );
  syncBuiltinESMExports();
  act();
  const counts = spies.map((spy) => spy.mock.callCount());
  for (const spy of spies) spy.mock.restore();
  syncBuiltinESMExports();
  return counts;
}

test('an unknown application takes as much work as a wrong signature', (t) => {
  for (const [target, readings] of [
    ['/user', 1],
    ['/user?username=a+b', 2],
    ['/user?user%5Fname=a+b', 4],
  ] as const) {
    const wrong = deliver({ method: 'POST', body: '{}', target, appSecret: 'wrong' });
    const unknown = deliver({ method: 'POST', body: '{}', target, appId: 'nobody' });
    const wrongWork = countWork(t, () => assert.equal(verify(wrong).outcome, 'mismatch'));
    const unknownWork = countWork(t, () => assert.equal(verify(unknown).outcome, 'unknown-application'));
    // One hash for the body.
    assert.deepEqual(wrongWork, [1, readings, readings]);
    assert.deepEqual(unknownWork, wrongWork);
  }
});

test('the string of an unknown application’s head is signed once, as for a wrong signature', (t) => {
  const { body: _, ...head } = deliver({ appId: 'nobody' });
  const options = { findSecrets: () => undefined, nowSeconds: now };
  const work = countWork(t, () => assert.equal(verifyHead(head, options).outcome, 'unknown-application'));
  assert.deepEqual(work, [0, 1, 1]);
});

test('a signer signs in place of its secret, and stands in for the secret of unknown applications', () => {
  const signed: string[] = [];
  const key = secretKey('secret');
  const signer = {
    key,
    sign(text: string) {
      signed.push(text);
      return signature(key, text);
    },
  };
  const options = {
    findSecrets: (appId: string) => (appId === 'app' ? [signer] : undefined),
    standIn: signer,
  };
  assert.equal(verify(deliver(), options).outcome, 'verified');
  assert.equal(verify(deliver({ appId: 'nobody' }), options).outcome, 'unknown-application');
  assert.equal(signed.length, 2);
});

test('a secret that cannot sign is not mistaken for a malformed query', () => {
  const broken = {} as SecretKey;
  assert.throws(() => verify(deliver(), { findSecrets: () => [broken] }), TypeError);
});

const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH');
const path = fc.stringMatching(/^\/[A-Za-z0-9._~%/-]{0,30}$/);
const text = fc.string({ unit: 'binary', maxLength: 20 });
const name = text.filter((name) => !/[=&\p{Cc}]/u.test(name));
const parameters = fc.array(fc.record({ name, value: text }, { noNullPrototype: true }), {
  maxLength: 6,
});
const visible = fc.stringMatching(/^[!-~]{1,36}$/);
const secret = fc.string({ unit: 'binary', minLength: 1, maxLength: 80 });
const body = fc.uint8Array({ maxLength: 200 });

describe('for any request', () => {
  test('a signed request is verified, and its parameters arrive unchanged', () => {
    fc.assert(
      fc.property(
        method,
        path,
        parameters,
        visible,
        secret,
        body,
        (method, path, sent, nonce, appSecret, body) => {
          const pieces = sent.map(
            (one) => `${encodeURIComponent(one.name)}=${encodeURIComponent(one.value)}`,
          );
          const target = sent.length === 0 ? path : `${path}?${pieces.join('&')}`;
          const received = deliver({ method, target, nonce, appSecret, body });
          const result = verify(received, { findSecrets: () => [appSecret] });
          assert.ok(result.outcome === 'verified');
          assert.equal(result.path, path);
          assert.deepEqual(result.parameters, sent);
        },
      ),
    );
  });

  test('a query with plus signs is verified in both readings', () => {
    const query = fc.stringMatching(/^[ab+=&]{1,20}$/);
    fc.assert(
      fc.property(query, fc.constantFrom('space', 'literal'), (query, plus) => {
        assert.equal(verify(deliver({ target: `/user?${query}`, plus })).outcome, 'verified');
      }),
    );
  });

  test('a reordered query is also verified, because proxies may reorder it', () => {
    const names = fc.shuffledSubarray(['a', 'b', 'a-b', 'B', 'é'], { minLength: 5 });
    fc.assert(
      fc.property(names, (names) => {
        const query = names.map((name) => `${encodeURIComponent(name)}=1`).join('&');
        const received = deliver({ target: '/user?a=1&b=1&a-b=1&B=1&%C3%A9=1' });
        assert.equal(verify({ ...received, target: `/user?${query}` }).outcome, 'verified');
      }),
    );
  });

  test('another secret is refused', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[!-~]{1,40}$/), { minLength: 2, maxLength: 2 }),
        (secrets) => {
          const [right, wrong] = secrets as [string, string];
          assert.equal(
            verify(deliver({ appSecret: right }), { findSecrets: () => [wrong] }).outcome,
            'mismatch',
          );
        },
      ),
    );
  });

  test('a change of any one character or byte is refused', () => {
    const field = fc.constantFrom('method', 'path', 'body', 'timestamp', 'nonce');
    fc.assert(
      fc.property(
        field,
        method,
        path,
        visible,
        body,
        fc.nat(),
        fc.nat(),
        (field, method, path, nonce, body, at, by) => {
          const received = deliver({ method, target: `${path}?a=1`, nonce, body });
          const changed = changeOne(received, field, at, by);
          fc.pre(changed !== undefined);
          assert.equal(verify(changed, { timestampSkewSeconds: Infinity }).outcome, 'mismatch');
        },
      ),
      { numRuns: 1000 },
    );
  });
});

type Field = 'method' | 'path' | 'body' | 'timestamp' | 'nonce';

/** Replaces one character or byte of a field; returns `undefined` when the field is empty. */
function changeOne(received: ReceivedRequest, field: Field, at: number, by: number) {
  if (field === 'body') {
    if (received.body.length === 0) return undefined;
    const index = at % received.body.length;
    return {
      ...received,
      body: received.body.map((byte, i) => (i === index ? byte ^ ((by % 255) + 1) : byte)),
    };
  }
  const [path = '', query = ''] = received.target.split('?');
  const alphabet = { method: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', timestamp: '0123456789' }[field as string];
  const original = field === 'path' ? path : (received[field] as string);
  const replaced = replaceOne(original, alphabet ?? 'abcXYZ019-._~/', at, by);
  return field === 'path'
    ? { ...received, target: `${replaced}?${query}` }
    : { ...received, [field]: replaced };
}

function replaceOne(original: string, alphabet: string, at: number, by: number): string {
  const index = at % original.length;
  const others = [...alphabet].filter((character) => character !== original[index]);
  return original.slice(0, index) + others[by % others.length] + original.slice(index + 1);
}
