import { bodyMistakes } from './body-mistakes.ts';
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

/** A string to sign, and the mistake or mistakes that produce it. */
export type WrongText = readonly [Mistake, string];

/** The longest target of a request in which two mistakes are looked for, in characters. */
const targetCharactersMax = 2048;

/** Leaves out the layout mistakes that have many texts, because two mistakes multiply them. */
const firstMistakes: readonly StringMistake[] = [
  ...bodyMistakes,
  ...queryMistakes,
  ...layoutMistakes.filter(({ name }) => name !== 'order-of-lines'),
];

/** The most texts with one mistake that a second one is added to. */
const firstTextsMax = 48;

/** Returns texts with one mistake, to combine with a wrong key. */
export function commonTexts(right: RightParts): readonly WrongText[] {
  if (right.target.length > targetCharactersMax) return [];
  const texts = new Map<string, Mistake>();
  for (const mistake of firstMistakes) {
    for (const text of mistake.strings(right)) {
      if (!texts.has(text) && texts.size < firstTextsMax) texts.set(text, mistake);
    }
  }
  return [...texts].map(([text, mistake]) => [mistake, text]);
}

/** Yields texts with two mistakes: any first one, and a common second one. */
export function* textsWithTwoMistakes(right: RightParts): Generator<WrongText> {
  for (const [first, text] of commonTexts(right)) {
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
