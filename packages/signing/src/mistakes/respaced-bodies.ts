import { fromUtf8 } from './text-forms.ts';

/** The largest body, in bytes, whose white space is changed: the work is done for callers whose signature is wrong. */
const bytesMax = 16 * 1024;

const punctuation = '{}[],:';
const whiteSpace = ' \t\n\r';

/** The longest text that is made of a body, in characters: indentation could make it hundreds of times as long. */
export const respacedCharactersMax = 64 * 1024;

/** What common writers and editors indent by. */
const indents = ['  ', '    ', '\t'];

/**
 * Yields the body with the white space of other JSON writers. Reads no value of it, so it does not matter whether the
 * sender is known, or whether the body is JSON.
 */
export function* respacedBodies(body: Uint8Array): Generator<string> {
  const text = textOf(body);
  if (text === undefined) return;
  const made = new Set([text]);
  for (const other of respaced(tokensOf(text))) {
    if (made.has(other)) continue;
    made.add(other);
    yield other;
  }
}

/** Without levels, every indent produces the same text. */
function indentsOf(tokens: readonly string[]): readonly string[] {
  return tokens.includes('{') || tokens.includes('[') ? indents : indents.slice(0, 1);
}

function* respaced(tokens: readonly string[]): Generator<string> {
  yield tokens.join('');
  yield tokens.map((token) => (token === ',' || token === ':' ? `${token} ` : token)).join('');
  for (const indent of indentsOf(tokens)) {
    const lines = joined(indentedPieces(tokens, indent));
    if (lines !== undefined) yield lines;
  }
}

/** Returns `undefined` as soon as the text is longer than {@link respacedCharactersMax}. */
function joined(pieces: Iterable<string>): string | undefined {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length > respacedCharactersMax) return undefined;
  }
  return text;
}

/**
 * Yields the texts on several lines that become the body once their line breaks are removed, as curl does to a file
 * that `--data` names.
 */
export function* bodiesWithLineBreaks(body: Uint8Array): Generator<string> {
  const text = textOf(body);
  if (text === undefined || withoutLineBreaks(text) !== text) return;
  const tokens = tokensOf(text);
  const made = new Set<string>();
  for (const indent of indentsOf(tokens)) {
    const lines = linesThatBecome(text, indentedPieces(tokens, indent));
    if (lines === undefined || made.has(lines)) continue;
    made.add(lines);
    for (const ended of [lines, `${lines}\n`]) {
      yield ended;
      yield ended.replaceAll('\n', '\r\n');
    }
  }
}

/** Returns `undefined` at the first piece that, without its line break, is not the next one of the text. */
function linesThatBecome(text: string, pieces: Iterable<string>): string | undefined {
  let lines = '';
  let compared = 0;
  for (const piece of pieces) {
    // The text has no line breaks, so the piece has at most the one that was added.
    const kept = piece.replace('\n', '');
    if (!text.startsWith(kept, compared)) return undefined;
    compared += kept.length;
    lines += piece;
  }
  return compared === text.length && lines.trimEnd().includes('\n') ? lines : undefined;
}

function textOf(body: Uint8Array): string | undefined {
  return body.length > bytesMax ? undefined : fromUtf8(body);
}

function withoutLineBreaks(text: string): string {
  return text.replaceAll('\r', '').replaceAll('\n', '');
}

/** Splits JSON into strings, punctuation and other values. */
function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfToken(text, start);
    if (!whiteSpace.includes(text.charAt(start))) tokens.push(text.slice(start, end));
    start = end;
  }
  return tokens;
}

function endOfToken(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return endOfString(text, start);
  let end = start + 1;
  if (punctuation.includes(first) || whiteSpace.includes(first)) return end;
  while (end < text.length && !`"${punctuation}${whiteSpace}`.includes(text.charAt(end))) end += 1;
  return end;
}

function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

/** More levels need more white space than a body may have. */
const levelsMax = 64;

/** Yields the tokens with the white space and the line breaks that follow or precede them. */
function* indentedPieces(tokens: readonly string[], indent: string): Generator<string> {
  let level = 0;
  const line = () => `\n${indent.repeat(Math.min(level, levelsMax))}`;
  for (const [index, token] of tokens.entries()) {
    if (token === ':') {
      yield ': ';
    } else if (token === ',') {
      yield token + line();
    } else if (token === '{' || token === '[') {
      level += 1;
      yield closes(tokens[index + 1]) ? token : token + line();
    } else if (closes(token)) {
      level = Math.max(0, level - 1);
      const isEmpty = tokens[index - 1] === '{' || tokens[index - 1] === '[';
      yield isEmpty ? token : line() + token;
    } else {
      yield token;
    }
  }
}

function closes(token: string | undefined): boolean {
  return token === '}' || token === ']';
}
