const string = String.raw`"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"`;
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

/** Optional white space, then a string, another scalar or a punctuation mark. */
const token = new RegExp(String.raw`[ \t\r\n]*(?:(${string})|(${number}|true|false|null)|([{}[\],:]))`, 'y');

type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end';

/**
 * Returns the index of the first character that cannot belong to a JSON text, or the length of a text that ends too
 * early; `undefined` for valid JSON. The messages of `JSON.parse` do not always have a position, and quote the text.
 */
export function findJsonFault(text: string): number | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let index = 0; ; index = token.lastIndex) {
    token.lastIndex = index;
    const [all = '', key, scalar, sign] = token.exec(text) ?? [];
    const start =
      index + (all === '' ? spaceAt(text, index) : all.length - (key ?? scalar ?? sign ?? '').length);
    if (start === text.length) return expected === 'end' ? undefined : start;
    const kind = key === undefined ? (scalar === undefined ? (sign ?? '') : 'scalar') : 'string';
    const next = advance(expected, kind, open);
    if (next === undefined) return start;
    expected = next;
  }
}

function spaceAt(text: string, index: number): number {
  return /^[ \t\r\n]*/.exec(text.slice(index))?.[0].length ?? 0;
}

/** Returns what may follow, or `undefined` if the token must not stand here. Updates the list of open brackets. */
function advance(expected: Expected, kind: string, open: string[]): Expected | undefined {
  const mayEnd = expected === 'comma' || expected === (kind === ']' ? 'value or ]' : 'key or }');
  if (kind === '}' || kind === ']') {
    if (!mayEnd || open.pop() !== (kind === '}' ? '{' : '[')) return undefined;
    return afterValue(open);
  }
  if (expected === 'value' || expected === 'value or ]') {
    if (kind === 'string' || kind === 'scalar') return afterValue(open);
    if (kind !== '{' && kind !== '[') return undefined;
    open.push(kind);
    return kind === '{' ? 'key or }' : 'value or ]';
  }
  if (expected === 'key' || expected === 'key or }') return kind === 'string' ? 'colon' : undefined;
  if (expected === 'colon') return kind === ':' ? 'value' : undefined;
  if (expected === 'comma' && kind === ',') return open.at(-1) === '{' ? 'key' : 'value';
  return undefined;
}

function afterValue(open: readonly string[]): Expected {
  return open.length === 0 ? 'end' : 'comma';
}
