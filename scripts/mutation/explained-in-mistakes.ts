import type { ExplainedSurvivor } from './explained-survivor.ts';

const findMistake = 'packages/signing/src/find-mistake.ts';
const folder = 'packages/signing/src/mistakes';
const bodyMistakes = `${folder}/body-mistakes.ts`;
const layoutMistakes = `${folder}/layout-mistakes.ts`;
const queryMistakes = `${folder}/query-mistakes.ts`;

/** Makes one explanation of several lines, each with its code and what replaced it. */
function explain(
  file: string,
  reason: string,
  changes: readonly (readonly [line: string, code: string, replacement: string])[],
): readonly ExplainedSurvivor[] {
  return changes.map(([line, code, replacement]) => ({ file, line, code, replacement, reason }));
}

const added = '["Stryker was here"]';
const neverSigned = 'One more text is tried, which no client signs.';
const undefinedAnyway = 'A function that ends without a value returns undefined as well.';
const keptOrder = 'The sort of Node.js keeps the order of two entries for any result that is not negative.';

export const explainedInMistakes: readonly ExplainedSurvivor[] = [
  ...explain(findMistake, 'The shortcut only saves time: the search for a second mistake finds nothing.', [
    [
      'form.signature === undefined ? undefined : new Search(options, appId, form.signature).run(true);',
      'true',
      'false',
    ],
    [
      "if (mayBeRight && stringsToSign.some((text) => this.#signs(text))) return 'right';",
      'mayBeRight && stringsToSign.some((text) => this.#signs(text))',
      'false',
    ],
    [
      "if (mayBeRight && stringsToSign.some((text) => this.#signs(text))) return 'right';",
      'stringsToSign.some((text) => this.#signs(text))',
      'stringsToSign.every(text => this.#signs(text))',
    ],
    [
      "if (mayBeRight && stringsToSign.some((text) => this.#signs(text))) return 'right';",
      '(text) => this.#signs(text)',
      '() => undefined',
    ],
  ]),
  ...explain(findMistake, 'A search that has ended stays so: its next attempt is refused as well.', [
    ['if (this.#ended) return undefined;', 'this.#ended', 'false'],
  ]),
  ...explain(findMistake, neverSigned, [
    ['for (const { mistake, text } of textsInCharsets(right, [])) yield [mistake, text];', '[]', added],
  ]),
  ...explain(findMistake, 'A text that is tried again does not match again.', [
    ['if (seen.has(wrong[1])) continue;', 'seen.has(wrong[1])', 'false'],
  ]),
  ...explain(findMistake, 'A property that is undefined reads like one that is missing.', [
    [
      'return signedString === undefined ? { name, cause } : { name, cause, signedString };',
      'signedString === undefined',
      'false',
    ],
  ]),
  ...explain(bodyMistakes, 'With a line for Content-MD5, mistakes before this one have these texts.', [
    ['right.contentMd5 === undefined', 'right.contentMd5 === undefined', 'true'],
  ]),
  ...explain(bodyMistakes, neverSigned, [
    ['? []', '[]', added],
    [': [],', '[]', added],
    [
      'strings: (right) => (right.body.length === 0 ? [] : [signedWith(right, { contentMd5: md5OfNothing })]),',
      '[]',
      added,
    ],
    [
      'return digest === undefined ? [] : [toHex(Uint8Array.from(atob(digest), (byte) => byte.charCodeAt(0)))];',
      '[]',
      added,
    ],
  ]),
  ...explain(layoutMistakes, neverSigned, [['? []', '[]', added]]),
  ...explain(layoutMistakes, 'The seconds are added and subtracted.', [
    [
      'signedWith(right, { timestamp: String(Number(right.timestamp) + seconds) }),',
      'Number(right.timestamp) + seconds',
      'Number(right.timestamp) - seconds',
    ],
  ]),
  ...explain(layoutMistakes, 'The orders are the same, and some of them come twice.', [
    ['if (lines.length === 0) yield lines;', 'lines.length === 0', 'true'],
    ['if (lines.length === 0) yield lines;', 'lines.length === 0', 'lines.length !== 0'],
  ]),
  ...explain(queryMistakes, neverSigned, [
    ["strings: (right) => (right.query === '' ? [] : [withResource(right, right.path)]),", '[]', added],
    ["strings: (right) => (right.query === '' ? [] : [withResource(right, right.target)]),", '[]', added],
    [
      `strings: (right) => (right.query === '' ? [withResource(right, \`\${right.path}?\`)] : []),`,
      '[]',
      added,
    ],
  ]),
  ...explain(queryMistakes, 'Without a query, that is the right text, which is not tried.', [
    [
      "strings: (right) => (right.query === '' ? [] : [withResource(right, right.path)]),",
      "right.query === ''",
      'false',
    ],
  ]),
  ...explain(queryMistakes, keptOrder, [
    ['if (a === b) return 0;', 'a === b', 'false'],
    ['return pairOf(a) < pairOf(b) ? -1 : 1;', 'pairOf(a) < pairOf(b)', 'pairOf(a) <= pairOf(b)'],
  ]),
  ...explain(queryMistakes, 'The line before has dealt with equal names.', [
    ['return a < b ? -1 : 1;', 'a < b', 'a <= b'],
  ]),
  ...explain(
    `${folder}/key-mistakes.ts`,
    'A signature with the secret itself is right, or one of a wrong text, which is found before.',
    [
      ['.filter((altered) => altered !== secret)', 'altered !== secret', 'true'],
      [
        'return alter(secret)',
        'alter(secret) .filter((altered) => altered !== undefined) .filter((altered) => altered !== secret)',
        'alter(secret).filter(altered => altered !== undefined)',
      ],
    ],
  ),
  ...explain(`${folder}/text-forms.ts`, undefinedAnyway, [['} catch {', '{ return undefined; }', '{}']]),
  ...explain(`${folder}/charset-mistakes.ts`, undefinedAnyway, [
    ['} catch {', '{ return undefined; }', '{}'],
  ]),
  ...explain(
    `${folder}/reserialised-bodies.ts`,
    'The first call on the missing text throws, which has the same result.',
    [['if (text === undefined) return [];', 'text === undefined', 'false']],
  ),
  ...explain(`${folder}/reserialised-bodies.ts`, 'An object has no two members with the same name.', [
    ['return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));', 'a < b', 'a <= b'],
  ]),
  ...explain(`${folder}/charsets.ts`, 'Beyond the end of an array of bytes, nothing is written.', [
    [
      'for (let pair = 0, at = 0; at < bytes.length; pair += 1, at += 3) {',
      'at < bytes.length',
      'at <= bytes.length',
    ],
  ]),
  ...explain(`${folder}/charsets.ts`, 'Beyond the end of a text, no character is a line feed.', [
    ['for (let at = 0; at < decoded.length; at += 1) {', 'at < decoded.length', 'at <= decoded.length'],
  ]),
  ...explain(`${folder}/two-mistakes.ts`, 'Each name is that of a mistake; the compiler cannot know that.', [
    [
      `if (mistake === undefined) throw new TypeError(\`there is no layout mistake \${name}\`);`,
      'mistake === undefined',
      'false',
    ],
  ]),
];
