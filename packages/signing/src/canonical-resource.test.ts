import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { canonicalResource, MalformedQueryError, parseQuery, splitTarget } from './canonical-resource.ts';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const parameter = fc.record({ name: text, value: text }, { noNullPrototype: true });

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

  test('reads form encoding when plus is a space', () => {
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        const form = new URLSearchParams(parameters.map(({ name, value }) => [name, value]));
        assert.deepEqual(parseQuery(form.toString(), 'space'), parameters);
      }),
    );
  });

  test('fails with MalformedQueryError or not at all, whatever the text', () => {
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

  test('shows no more than a short piece of a long query', () => {
    const query = `${'n'.repeat(5000)}=%${'v'.repeat(5000)}`;
    assert.throws(
      () => parseQuery(query, 'space'),
      (error: Error) => error.message.length < 250,
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

  test('leaves the parameters as they were', () => {
    const parameters = Object.freeze([
      { name: 'b', value: '1' },
      { name: 'a', value: '2' },
    ]);
    assert.equal(canonicalResource('/user', parameters), '/user?a=2&b=1');
    assert.equal(parameters[0]?.name, 'b');
  });
});
