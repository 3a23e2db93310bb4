/** A piece of formatted JSON; `kind` selects its colour. */
export interface JsonPiece {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark';
  readonly text: string;
}

const tokenPattern = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/**
 * Formats JSON for reading. Only the white space between tokens changes: numbers are never converted, so an int64 keeps
 * every digit, and strings keep their escapes.
 *
 * @returns `undefined` when the text is not JSON
 */
export function formatJson(text: string): readonly JsonPiece[] | undefined {
  if (!isJson(text)) return undefined;
  const tokens = text.match(tokenPattern) ?? [];
  let depth = 0;
  return tokens.map((token, index) => {
    const next = tokens[index + 1] ?? '';
    if (opens(token)) depth += 1;
    if (closes(next)) depth -= 1;
    return { kind: kindOf(token, next), text: token + gapAfter(token, next, depth) };
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function gapAfter(token: string, next: string, depth: number): string {
  if (token === ':') return ' ';
  if (opens(token) && closes(next)) return '';
  return opens(token) || token === ',' || closes(next) ? `\n${'  '.repeat(depth)}` : '';
}

function kindOf(token: string, next: string): JsonPiece['kind'] {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string';
  if (/^[-\d]/.test(token)) return 'number';
  return /^[a-z]/.test(token) ? 'word' : 'mark';
}

function opens(token: string): boolean {
  return token === '{' || token === '[';
}

function closes(token: string): boolean {
  return token === '}' || token === ']';
}
