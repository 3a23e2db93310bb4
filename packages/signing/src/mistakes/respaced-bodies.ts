import { fromUtf8 } from './text-forms.ts';

/** The largest body, in bytes, whose white space is changed: the work is done for callers whose signature is wrong. */
const bytesMax = 16 * 1024;

const punctuation = '{}[],:';
const whiteSpace = ' \t\n\r';

/**
 * Returns the body with the white space of other JSON writers. Reads no value of it, so it does not matter whether the
 * sender is known, or whether the body is JSON.
 */
export function respacedBodies(body: Uint8Array): readonly string[] {
  const text = textOf(body);
  if (text === undefined) return [];
  const tokens = tokensOf(text);
  const spaced = tokens.map((token) => (token === ',' || token === ':' ? `${token} ` : token)).join('');
  return [...new Set([tokens.join(''), spaced, ...indented(tokens)])].filter((other) => other !== text);
}

/**
 * Returns the texts on several lines that become the body once their line breaks are removed, as curl does to a file
 * that `--data` names.
 */
export function bodiesWithLineBreaks(body: Uint8Array): readonly string[] {
  const text = textOf(body);
  if (text === undefined || withoutLineBreaks(text) !== text) return [];
  return indented(tokensOf(text))
    .flatMap((lines) => [lines, `${lines}\n`])
    .flatMap((lines) => [lines, lines.replaceAll('\n', '\r\n')])
    .filter((lines) => lines.trimEnd().includes('\n') && withoutLineBreaks(lines) === text);
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

/** Returns the text on lines, indented by what common writers and editors indent by. */
function indented(tokens: readonly string[]): readonly string[] {
  return ['  ', '    ', '\t'].map((indent) => indentedBy(tokens, indent));
}

/** More levels need more white space than a body may have. */
const levelsMax = 64;

function indentedBy(tokens: readonly string[], indent: string): string {
  let level = 0;
  const line = () => `\n${indent.repeat(Math.min(level, levelsMax))}`;
  const pieces = tokens.map((token, index) => {
    const isClosed = closes(tokens[index + 1]);
    if (token === ':') return ': ';
    if (token === ',') return token + line();
    if (token === '{' || token === '[') {
      level += 1;
      return isClosed ? token : token + line();
    }
    if (!closes(token)) return token;
    level = Math.max(0, level - 1);
    const isEmpty = tokens[index - 1] === '{' || tokens[index - 1] === '[';
    return isEmpty ? token : line() + token;
  });
  return pieces.join('');
}

function closes(token: string | undefined): boolean {
  return token === '}' || token === ']';
}
