import { keyMistakes } from './key-mistakes.ts';
import { layoutMistakes } from './layout-mistakes.ts';
import {
  bothMistakes,
  linesOf,
  type Mistake,
  type RightParts,
  type StringMistake,
  signedWith,
} from './mistake.ts';
import { queryMistakes } from './query-mistakes.ts';
import { stringMistakes, textsOf, type WrongText } from './single-mistakes.ts';

/** The longest target of a request in which two mistakes are looked for, in characters. */
const targetCharactersMax = 2048;

/** The most texts with one mistake that a second one is added to. */
const firstTextsMax = 48;

/**
 * Yields texts with one mistake, to combine with a second one.
 *
 * @param texts all texts with one mistake
 */
export function* commonTexts(
  right: RightParts,
  texts: Iterable<WrongText> = textsOf(stringMistakes, right),
): Generator<WrongText> {
  if (right.target.length > targetCharactersMax) return;
  const made = new Set<string>();
  for (const [mistake, text] of texts) {
    // It has many texts, which two mistakes multiply.
    if (mistake.name === 'order-of-lines' || made.has(text)) continue;
    made.add(text);
    yield [mistake, text];
    if (made.size === firstTextsMax) return;
  }
}

/**
 * Yields texts with two mistakes: any first one, and a common second one.
 *
 * @param firstTexts the texts with the first one
 */
export function* textsWithTwoMistakes(
  right: RightParts,
  firstTexts: Iterable<WrongText> = commonTexts(right),
): Generator<WrongText> {
  for (const [first, text] of firstTexts) {
    for (const [second, wrong] of secondMistakes(right, text)) {
      if (first.name !== second.name) yield [bothMistakes(first, second), wrong];
    }
  }
}

function* secondMistakes(right: RightParts, text: string): Generator<WrongText> {
  for (const { mistake, change } of textChanges) yield [mistake, change(text, right)];
  const parts = partsOf(right, text);
  if (parts === undefined) return;
  const more = parts.contentMd5 === right.contentMd5 ? [] : queryMistakes;
  for (const mistake of [...partMistakes, ...more]) {
    for (const wrong of mistake.strings(parts)) yield [mistake, wrong];
  }
}

/** Mistakes that can be made in any text, however wrong it is already. */
const textChanges: readonly {
  readonly mistake: Mistake;
  readonly change: (text: string, right: RightParts) => string;
}[] = [
  { mistake: layoutMistake('trailing-line-feed'), change: (text) => `${text}\n` },
  { mistake: layoutMistake('line-separator'), change: (text) => text.replaceAll('\n', '\r\n') },
  { mistake: layoutMistake('line-separator'), change: (text) => text.replaceAll('\n', '\\n') },
  {
    mistake: layoutMistake('method-case'),
    change: (text, { method }) =>
      text.startsWith(method) ? method.toLowerCase() + text.slice(method.length) : text,
  },
];

/** Mistakes in parts other than Content-MD5 and the query. */
const partMistakes: readonly StringMistake[] = [
  layoutMistake('path-prefix'),
  layoutMistake('timestamp-milliseconds'),
  {
    ...layoutMistake('order-of-lines'),
    strings: (right) => {
      const lines = linesOf(right);
      const at = lines.length - 3;
      return [[...lines.slice(0, at), right.nonce, right.timestamp, ...lines.slice(-1)].join('\n')];
    },
  },
];

function layoutMistake(name: string): StringMistake {
  const mistake = layoutMistakes.find((each) => each.name === name);
  if (mistake === undefined) throw new TypeError(`there is no layout mistake ${name}`);
  return mistake;
}

/** Returns the parts of a string to sign in which only Content-MD5 or the resource is wrong. */
function partsOf(right: RightParts, text: string): RightParts | undefined {
  const head = signedWith(right, { canonicalResource: '' });
  if (text.startsWith(head)) return { ...right, canonicalResource: text.slice(head.length) };
  const tail = signedWith(right, { contentMd5: undefined }).slice(right.method.length);
  if (!text.startsWith(`${right.method}\n`) || !text.endsWith(tail)) return undefined;
  const middle = text.slice(right.method.length, text.length - tail.length);
  return { ...right, contentMd5: middle === '' ? undefined : middle.slice(1) };
}

/** Wrong keys that are common enough to be combined with a wrong text. */
export const commonKeyMistakes = keyMistakes.filter(({ name }) =>
  ['secret-white-space', 'secret-quoted', 'secret-decoded', 'secret-case', 'secret-is-appid'].includes(name),
);
