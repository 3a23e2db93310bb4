import {
  type ComparedLine,
  compareLines,
  contentMd5,
  contentMd5Participates,
  type Difference,
  expectedStringsToSign,
  findStringMistake,
  firstDifference,
  parseQuery,
  type RequestFault,
  splitTarget,
  usualPrefixes,
} from '@fieldroster/signing';

/** A request as it was pasted. */
export interface PastedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: string;
  readonly body: string;
  /** The string to sign that the caller's code made; may be empty. */
  readonly signedString: string;
}

/** Every stage of the expected string, and how it differs from the caller's. */
export interface ExplainedRequest {
  readonly method: string;
  readonly bodyBytes: number;
  /** `undefined` when it is not a part of the string. */
  readonly md5: string | undefined;
  readonly timestamp: string;
  readonly nonce: string;
  /** The parameters in the order in which they are signed. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly expected: string;
  readonly lines: readonly LineOfRequest[];
  readonly difference: Difference | undefined;
  /** The names of what was probably done wrong. */
  readonly mistakes: readonly string[];
  /** The same in English, as the server says it. */
  readonly cause: string | undefined;
}

/** A line of both strings, with its number and the column of its first difference, from 1. */
interface LineOfRequest extends ComparedLine {
  readonly number: number;
  /** `undefined` when the lines are equal. */
  readonly column: number | undefined;
}

/** A fault of the request itself. */
export type RequestProblem =
  | { readonly kind: 'url' | 'withheld' | 'no-timestamp' | 'no-nonce' }
  | { readonly kind: 'refused'; readonly message: string; readonly fault: RequestFault | undefined };

/** Explains how a request is signed. Nothing leaves the browser. */
export function explainRequest(pasted: PastedRequest): ExplainedRequest | RequestProblem {
  const { method, signedString } = pasted;
  const [, origin, target = ''] = /^(https?:\/\/[^/?#\s]+)?(\/[!"$-~]*)$/i.exec(pasted.url.trim()) ?? [];
  // A record has an ellipsis in place of each value that may be secret. No URL that was sent has one.
  if (target === '') return { kind: pasted.url.includes('…') ? 'withheld' : 'url' };
  const timestamp = headerOf(pasted.headers, 'timestamp');
  const nonce = headerOf(pasted.headers, 'nonce');
  if (timestamp === undefined) return { kind: 'no-timestamp' };
  if (nonce === undefined) return { kind: 'no-nonce' };
  const body = new TextEncoder().encode(pasted.body);
  const request = { method, target, timestamp, nonce, body };
  const found = expectedStringsToSign(request);
  if ('query' in found) return { kind: 'refused', message: found.query, fault: found.fault };
  if ('header' in found)
    return { kind: 'refused', message: `${found.header} ${found.problem}`, fault: found.fault };
  const expected = found.strings.find((text) => text === signedString) ?? found.strings[0] ?? '';
  const lines = compareLines(expected, signedString === '' ? expected : signedString);
  const signed = { ...request, authorization: 'cbs:x:x' };
  const isWrong = signedString !== '' && signedString !== expected;
  const mistake = isWrong
    ? findStringMistake({
        request: signed,
        stringsToSign: found.strings,
        signedString,
        origin,
        removedPrefixes: usualPrefixes,
      })
    : undefined;
  return {
    method: method.toUpperCase(),
    bodyBytes: body.length,
    md5: contentMd5Participates(method, body.length) ? contentMd5(body) : undefined,
    timestamp,
    nonce,
    parameters: parametersOf(target),
    expected,
    lines: lines.map((line, index) => ({
      ...line,
      number: index + 1,
      column: firstDifference([line])?.column,
    })),
    difference: firstDifference(lines),
    mistakes: mistake?.name.split('+') ?? [],
    cause: mistake?.cause,
  };
}

function headerOf(headers: string, name: string): string | undefined {
  const line = headers.split(/\r?\n/).find((one) => one.toLowerCase().startsWith(`${name}:`));
  const value = line?.slice(name.length + 1).trim();
  return value === '' ? undefined : value;
}

function parametersOf(target: string): ExplainedRequest['parameters'] {
  return parseQuery(splitTarget(target).query, 'space')
    .map(({ name, value }) => ({ name, value }))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}
