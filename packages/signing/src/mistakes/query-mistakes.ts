import { canonicalResource, parseQuery, type QueryParameter, queryReadings } from '../canonical-resource.ts';
import { type RightParts, type StringMistake, signedWith } from './mistake.ts';

type Parameters = readonly QueryParameter[];

/** Mistakes in the query. */
export const queryMistakes: readonly StringMistake[] = [
  {
    name: 'query-missing',
    cause: 'the query was left out; sign the path, "?" and every parameter, also those the operation ignores',
    strings: (right) => (right.query === '' ? [] : [withResource(right, right.path)]),
  },
  {
    name: 'query-url-encoded',
    cause: 'query values were signed URL-encoded; sign them decoded and leave the encoding to the URL',
    strings: (right) => [withParameters(right, encodedParameters(right)), ...otherEncodings(right)],
  },
  {
    name: 'query-unsorted',
    cause: 'the query parameters were not sorted; sign them in ascending order of their names',
    strings: (right) => readings(right).map((parameters) => withResource(right, join(right, parameters))),
  },
  {
    name: 'query-empty-dropped',
    cause: 'a parameter without a value was left out or signed without "="; sign it as name=',
    strings: (right) =>
      readings(right).flatMap((parameters) => [
        withParameters(
          right,
          parameters.filter(({ value }) => value !== ''),
        ),
        withParameters(right, parameters).replace(/=(?=&|$)/g, ''),
      ]),
  },
  {
    name: 'query-as-sent',
    cause:
      'the query was signed as it stands in the URL; decode the values and sort the parameters by their names',
    strings: (right) => (right.query === '' ? [] : [withResource(right, right.target)]),
  },
  {
    name: 'query-sorted-by-pair',
    cause:
      'the parameters were sorted as whole name=value texts; sort by name alone, and leave repeated names in their order',
    strings: (right) =>
      readings(right).map((parameters) => withResource(right, join(right, parameters.toSorted(byPair)))),
  },
  {
    name: 'query-sorted-otherwise',
    cause:
      'the parameters were sorted in descending order, or without regard to case; sort them by name in ascending order of their characters',
    strings: (right) =>
      readings(right).flatMap((parameters) => [
        withResource(
          right,
          join(
            right,
            parameters.toSorted((a, b) => order(b.name, a.name)),
          ),
        ),
        withResource(
          right,
          join(
            right,
            parameters.toSorted((a, b) => order(folded(a), folded(b))),
          ),
        ),
      ]),
  },
  {
    name: 'query-html-escaped',
    cause:
      'the URL has &amp; in place of &; send & alone between two parameters, and write &amp; only within HTML or XML',
    strings: (right) =>
      right.query.includes(escapedAmpersand)
        ? readings(right).map((parameters) => withParameters(right, parameters.map(unescapedName)))
        : [],
  },
  {
    name: 'query-plus',
    cause:
      'a plus sign and a space were mixed up: %2B in a URL is a plus sign and %20 a space; decode each value exactly once',
    strings: (right) => [
      withParameters(
        right,
        mapValues(readings(right)[0] ?? [], (value) => value.replaceAll('+', ' ')),
      ),
      withParameters(
        right,
        mapValues(readings(right)[0] ?? [], (value) => value.replaceAll(' ', '+')),
      ),
    ],
  },
  {
    name: 'query-decoded-twice',
    cause:
      'query values were encoded twice for the URL, or decoded twice for the signature; encode each value once, and sign it as it was before that',
    strings: (right) =>
      readings(right).flatMap((parameters) => [
        withParameters(right, mapValues(parameters, decodeAgain)),
        withParameters(
          right,
          mapValues(parameters, (value) => decodeAgain(value.replaceAll('+', ' '))),
        ),
      ]),
  },
  {
    name: 'query-repeated-dropped',
    cause: 'a repeated parameter was signed once; sign each of its values, in the order of the URL',
    strings: (right) =>
      readings(right).flatMap((parameters) => [
        withParameters(right, keepFirst(parameters)),
        withParameters(right, keepFirst(parameters.toReversed())),
      ]),
  },
  {
    name: 'query-trailing-ampersand',
    cause: 'an "&" was signed after the last parameter; sign it only between two parameters',
    strings: (right) =>
      readings(right).flatMap((parameters) => [
        `${withParameters(right, parameters)}&`,
        `${withResource(right, join(right, parameters))}&`,
      ]),
  },
  {
    name: 'query-without-mark',
    cause: 'the "?" between the path and the query was left out or replaced; sign path?name=value',
    strings: (right) =>
      readings(right).flatMap((parameters) =>
        ['', '&', '\n'].map((mark) =>
          withResource(right, right.path + mark + canonicalResource('', parameters).slice(1)),
        ),
      ),
  },
  {
    name: 'query-bare-mark',
    cause: 'a "?" was signed although there is no query; sign the path alone',
    strings: (right) => (right.query === '' ? [withResource(right, `${right.path}?`)] : []),
  },
];

const escapedAmpersand = '&amp;';

/** Takes off what is left of an escaped ampersand once the query has been split at it. */
function unescapedName({ name, value }: QueryParameter): QueryParameter {
  return { name: name.startsWith('amp;') ? name.slice('amp;'.length) : name, value };
}

function withResource(right: RightParts, resource: string): string {
  return signedWith(right, { canonicalResource: resource });
}

function withParameters(right: RightParts, parameters: Parameters): string {
  return withResource(right, canonicalResource(right.path, parameters));
}

/** Returns the parameters in the order received, once for each accepted reading. */
function readings({ query }: RightParts): readonly Parameters[] {
  if (query === '') return [];
  return queryReadings(query).map(({ plus, names }) => parseQuery(query, plus, names));
}

function join({ path }: RightParts, parameters: Parameters): string {
  return `${path}?${parameters.map(pairOf).join('&')}`;
}

function pairOf({ name, value }: QueryParameter): string {
  return `${name}=${value}`;
}

function byPair(a: QueryParameter, b: QueryParameter): number {
  return pairOf(a) < pairOf(b) ? -1 : 1;
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function folded({ name }: QueryParameter): string {
  return name.toLowerCase();
}

function decodeAgain(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function encodedParameters({ query }: RightParts): Parameters {
  return query
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [name = '', ...rest] = piece.split('=');
      return { name, value: rest.join('=') };
    });
}

/** Returns the resource in the spelling of encoders that encode a value differently from the URL. */
function otherEncodings(right: RightParts): readonly string[] {
  const encoders = [encodeURIComponent, encodeForm];
  return readings(right).flatMap((parameters) =>
    encoders.map((encode) =>
      withParameters(
        right,
        mapValues(parameters, (value) => encode(value.toWellFormed())),
      ),
    ),
  );
}

function encodeForm(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+');
}

function mapValues(parameters: Parameters, change: (value: string) => string): Parameters {
  return parameters.map(({ name, value }) => ({ name, value: change(value) }));
}

function keepFirst(parameters: Parameters): Parameters {
  const seen = new Set<string>();
  return parameters.filter(({ name }) => !seen.has(name) && seen.add(name));
}
