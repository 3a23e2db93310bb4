import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalResource,
  MalformedQueryError,
  parseQuery,
  queryReadings,
  splitTarget,
} from './canonical-resource.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const signableName = text.filter((name) => !/[=&\p{Cc}]/u.test(name));
const parameter = fc.record({ name: signableName, value: text }, { noNullPrototype: true });

function encodeQuery(parameters: readonly { name: string; value: string }[]): string {
  return parameters
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

describe('splitTarget', () => {
  test('splits at the first question mark only', () => {
    assert.deepEqual(splitTarget('/user?a=1?b'), { path: '/user', query: 'a=1?b' });
    assert.deepEqual(splitTarget('/user?'), { path: '/user', query: '' });
    assert.deepEqual(splitTarget('/user#x'), { path: '/user#x', query: '' });
  });
});

describe('parseQuery', () => {
  test('gives back what was encoded, in the order received', () => {
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        assert.deepEqual(parseQuery(encodeQuery(parameters), 'space'), parameters);
        assert.deepEqual(parseQuery(encodeQuery(parameters), 'literal'), parameters);
      }),
    );
  });

  test('reads + as a space or as itself, and %2B as a plus sign always', () => {
    assert.deepEqual(parseQuery('a+b=c+d%2Be', 'space'), [{ name: 'a b', value: 'c d+e' }]);
    assert.deepEqual(parseQuery('a+b=c+d%2Be', 'literal'), [{ name: 'a+b', value: 'c+d+e' }]);
  });

  test('skips empty pieces', () => {
    const parameters = [
      { name: 'a', value: '1' },
      { name: 'b', value: '' },
    ];
    assert.deepEqual(parseQuery('&a=1&&b&', 'space'), parameters);
    assert.deepEqual(parseQuery('', 'space'), []);
  });

  test('reads form encoding when plus is a space', () => {
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        const form = new URLSearchParams(parameters.map(({ name, value }) => [name, value]));
        assert.deepEqual(parseQuery(form.toString(), 'space'), parameters);
      }),
    );
  });

  test('fails only with MalformedQueryError, for any text', () => {
    const hostile = fc.string({ unit: fc.constantFrom('%', 'E', '6', 'f', 'z', '+', '&', '=', '8', '0') });
    fc.assert(
      fc.property(hostile, fc.constantFrom('space', 'literal'), (query, plus) => {
        try {
          parseQuery(query, plus);
        } catch (error) {
          assert.ok(error instanceof MalformedQueryError);
        }
      }),
    );
  });

  test('names the parameter and shows the piece that cannot be decoded', () => {
    assert.throws(() => parseQuery('a=1&discount=100%', 'space'), {
      name: 'MalformedQueryError',
      message:
        'the value of parameter "discount" has a "%" that is not followed by two hexadecimal digits, at "%"',
    });
    assert.throws(() => parseQuery('username=Li%20%E6%9D', 'space'), {
      message:
        'the value of parameter "username" has percent-encoded bytes that are not UTF-8, at or after "%E6%9D"',
    });
    assert.throws(() => parseQuery('%zz=1', 'space'), { message: /^a parameter name has .*"%zz"$/ });
  });

  test('shows nothing of a part without a value, which may be a value itself and end in "="', () => {
    const part = 'a part of the query without a value';
    for (const [piece, message] of [
      ['s3cr%etPassword', `${part} has a "%" that is not followed by two hexadecimal digits`],
      ['s3cr%E6%9DPassword', `${part} has percent-encoded bytes that are not UTF-8`],
      ['s3cr%26Password', `${part} has "=", "&" or a control character; no name may have one of them`],
    ] as const)
      for (const end of ['', '=', '=='])
        assert.throws(() => parseQuery(`password=a&${piece}${end}`, 'space'), { message });
  });

  test('shows the first 40 characters of a name', () => {
    for (const [name, text] of [
      ['n'.repeat(40), 'n'.repeat(40)],
      ['n'.repeat(41), `${'n'.repeat(40)}…`],
    ] as const) {
      const message = new RegExp(`^the value of parameter "${text}" has a "%"`);
      assert.throws(() => parseQuery(`${name}=%`, 'space'), { message });
    }
  });

  test('shows no more than a short piece of a long query', () => {
    const query = `${'n'.repeat(5000)}=%${'v'.repeat(5000)}`;
    assert.throws(
      () => parseQuery(query, 'space'),
      (error: Error) => error.message.length < 250,
    );
  });
});

describe('parseQuery with names as they were sent', () => {
  test('decodes only the values', () => {
    const sent = [{ name: 'a%20b+c', value: 'd e' }];
    assert.deepEqual(parseQuery('a%20b+c=d%20e', 'space', 'as-sent'), sent);
    assert.deepEqual(parseQuery('a%20b+c=d+e', 'space', 'as-sent'), sent);
    assert.deepEqual(parseQuery('a%20b+c', 'literal', 'as-sent'), [{ name: 'a%20b+c', value: '' }]);
  });

  test('reads names without "%" and "+" as the other reading does', () => {
    const plain = fc.array(fc.tuple(fc.stringMatching(/^[a-z_-]{1,5}$/), text));
    fc.assert(
      fc.property(plain, (pairs) => {
        const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
        assert.deepEqual(parseQuery(query, 'literal', 'as-sent'), parseQuery(query, 'literal'));
      }),
    );
  });
});

test('a name with "=", "&" or a control character is malformed in every reading, and the message names it', () => {
  const inside = fc.constantFrom('=', '&', '\0', '\n', '\r', '\t', '\x1f', '\x7f', '\x80', '\x9f');
  fc.assert(
    fc.property(signableName, inside, signableName, (before, bad, after) => {
      const query = `a=1&${encodeURIComponent(before + bad + after)}=2`;
      for (const names of ['decoded', 'as-sent'] as const) {
        assert.throws(() => parseQuery(query, 'space', names), MalformedQueryError);
      }
    }),
  );
  assert.throws(() => parseQuery('department%3DX%26search=Y', 'space', 'as-sent'), {
    message:
      'the parameter name "department=X&search" has "=", "&" or a control character; no name may have one of them',
  });
  assert.throws(() => parseQuery('a%7Fb=Y', 'space'), {
    message: /^the parameter name "a\\u\{7f\}b" has /,
  });
});

describe('queryReadings', () => {
  test('lists all readings that a query can have', () => {
    const count = (query: string) => queryReadings(query).length;
    assert.deepEqual(['', 'a=1&b=2', 'a=%20&b=%2B', 'a&b'].map(count), [1, 1, 1, 1]);
    assert.deepEqual(['a=1+2', 'b=1&a=+'].map(count), [2, 2]);
    assert.deepEqual(['%61=1', 'b=1&%61', 'b=%3D&%61=1'].map(count), [2, 2, 2]);
    assert.deepEqual(['a+b=1', '%61=1+2', 'a+b', 'a+', 'b=+&%61=1'].map(count), [4, 4, 4, 4, 4]);
  });

  test('lists one reading of a query with too many parameters, which all refuse', () => {
    const names = '&a'.repeat(255);
    assert.deepEqual(
      [`+=%61${names}`, `%61+&${names}`].map(queryReadings).map(({ length }) => length),
      [4, 1],
    );
  });

  test('lists the most likely reading first', () => {
    const [usual, literal, asSent, literalAsSent] = [
      { plus: 'space', names: 'decoded' },
      { plus: 'literal', names: 'decoded' },
      { plus: 'space', names: 'as-sent' },
      { plus: 'literal', names: 'as-sent' },
    ];
    assert.deepEqual(queryReadings('a=1'), [usual]);
    assert.deepEqual(queryReadings('a=+'), [usual, literal]);
    assert.deepEqual(queryReadings('%61=1'), [usual, asSent]);
    assert.deepEqual(queryReadings('%61=+'), [usual, literal, asSent, literalAsSent]);
  });

  test('leaves out no reading with different parameters', () => {
    const query = fc.stringMatching(/^([ab+]|%61|%2B|=|&){0,12}$/);
    const readings = ['space', 'literal'].flatMap((plus) =>
      ['decoded', 'as-sent'].map((names) => ({ plus, names })),
    );
    fc.assert(
      fc.property(query, (query) => {
        const parse = ({ plus, names }: (typeof readings)[number]) =>
          JSON.stringify(parseQuery(query, plus as 'space', names as 'decoded'));
        const listed = new Set(queryReadings(query).map(parse));
        for (const reading of readings) assert.ok(listed.has(parse(reading)), JSON.stringify(reading));
      }),
    );
  });
});

describe('canonicalResource', () => {
  test('does not depend on the order of parameters with different names', () => {
    const distinct = fc.uniqueArray(parameter, { selector: ({ name }) => name });
    const shuffled = distinct.chain((parameters) =>
      fc.tuple(
        fc.constant(parameters),
        fc.shuffledSubarray(parameters, { minLength: parameters.length, maxLength: parameters.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([parameters, permuted]) => {
        assert.equal(canonicalResource('/user', permuted), canonicalResource('/user', parameters));
      }),
    );
  });

  test('keeps the order of parameters with the same name', () => {
    const few = fc.array(
      fc.record({ name: fc.constantFrom('a', 'b', 'a-b'), value: fc.stringMatching(/^\d$/) }),
    );
    fc.assert(
      fc.property(few, (parameters) => {
        const ordered = ['a', 'a-b', 'b'].flatMap((name) => parameters.filter((one) => one.name === name));
        const query = ordered.map(({ name, value }) => `${name}=${value}`).join('&');
        assert.equal(canonicalResource('/u', parameters), query === '' ? '/u' : `/u?${query}`);
      }),
    );
  });

  test('does not change the parameters', () => {
    const parameters = Object.freeze([
      { name: 'b', value: '1' },
      { name: 'a', value: '2' },
    ]);
    assert.equal(canonicalResource('/user', parameters), '/user?a=2&b=1');
    assert.equal(parameters[0]?.name, 'b');
  });
});
