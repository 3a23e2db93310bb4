import type { ExplainedSurvivor } from './explained-survivor.ts';

const exactJson = 'packages/server/src/json/exact-json.ts';
const jsonBytes = 'packages/server/src/json/json-bytes.ts';
const slicedJson = 'packages/server/src/json/sliced-json.ts';

/** Makes one explanation of several changes to a line. */
function explain(
  line: string,
  reason: string,
  changes: readonly (readonly [code: string, replacement: string])[],
): readonly ExplainedSurvivor[] {
  return changes.map(([code, replacement]) => ({ file: exactJson, line, code, replacement, reason }));
}

/** Explained changes in the folder `json`. */
export const explainedInJson: readonly ExplainedSurvivor[] = [
  ...explain(
    "return !token.startsWith('\"') && Number.isInteger(Number(token)) && isFraction(token)",
    'A token is a number or a whole string, which begins and ends with a quotation mark.',
    [["token.startsWith('\"')", "token.endsWith('\"')"]],
  ),
  ...explain(
    "while (last >= 0 && (digits[last] === '0' || digits[last] === '-')) last -= 1;",
    'The digit before the first one is undefined, which ends the search as well.',
    [['last >= 0', 'true']],
  ),
  ...explain('if (Array.isArray(value)) {', 'The elements of an array are properties, too.', [
    ['Array.isArray(value)', 'false'],
  ]),
  ...explain(
    "} else if (typeof value === 'object' && value !== null) {",
    'A number or a truth value has no properties of its own.',
    [["typeof value === 'object'", 'true']],
  ),
  ...explain(
    "if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;",
    'The shortcut only saves time: the text of any other value stands for the same value.',
    [
      ["typeof value !== 'number' || Number.isSafeInteger(value)", 'false'],
      [
        "typeof value !== 'number' || Number.isSafeInteger(value)",
        "typeof value !== 'number' && Number.isSafeInteger(value)",
      ],
      ["typeof value !== 'number'", 'false'],
    ],
  ),
  ...explain(
    'return context?.source === undefined || !canKeepDigits ? value : json.rawJSON(context.source);',
    'Every release of Node.js that can run the tests tells the text of a number and has rawJSON; older browsers do neither.',
    [
      ['context?.source === undefined || !canKeepDigits', 'false'],
      ['context?.source === undefined || !canKeepDigits', 'context?.source === undefined && !canKeepDigits'],
      ['context?.source === undefined', 'false'],
      ['context?.source', 'context.source'],
    ],
  ),
  ...explain('return true;', 'After a complete text, the parser tells the position, and none is searched.', [
    ['true', 'false'],
  ]),
  {
    file: jsonBytes,
    line: 'for (let cut = this.#cuts[0]; cut !== undefined && cut.from < end; cut = this.#cuts[0]) {',
    code: 'cut.from < end',
    replacement: 'cut.from <= end',
    reason: 'No piece ends where a cut begins: the blank or the quote before a cut is in the same piece.',
  },
  ...[
    [
      'if (at - this.#lastEnd > blanksMax) this.#text.cut(this.#lastEnd + 1, at);',
      'at - this.#lastEnd > blanksMax',
      'at - this.#lastEnd >= blanksMax',
      'The length is a rough amount: the values are the same whether so much white space is cut or not.',
    ],
    [
      'for (let at = this.#at; at < to; at++) {',
      'at < to',
      'at <= to',
      'A slice may look at one byte more; behind the last byte of the text is none.',
    ],
    [
      'if (open.hasToken) this.#takePiece(open, at);',
      'open.hasToken',
      'true',
      'Only white space is left otherwise: the parser makes an empty container of it, which adds nothing.',
    ],
    [
      'parent.from = at + 1;',
      'at + 1',
      'at - 1',
      'Nothing is parsed from there before the next comma; it only tells how full the slice is.',
    ],
    [
      'if (container.value !== undefined || parent === undefined) return;',
      'parent === undefined',
      'false',
      'Only the whole text has no parent, and it has a value from the start; the comparison is there for the type checker.',
    ],
    [
      'if (parent.lastComma >= parent.from) this.#takePiece(parent, parent.lastComma);',
      'parent.lastComma >= parent.from',
      'parent.lastComma > parent.from',
      'A comma with nothing before it has been refused.',
    ],
    [
      'if (!parent.isArray) container.name = Object.keys(named as object)[0] as string;',
      '!parent.isArray',
      'true',
      'Nothing uses the name of a container in an array.',
    ],
    [
      'if (!open.isAfterChild) open.add(this.#parse(open, end, open.closing) as object);',
      '!open.isAfterChild',
      'true',
      'Only white space follows a child: the parser makes an empty container of it, which adds nothing.',
    ],
    ...[
      'if (position === undefined) throw notJson(undefined, false);',
      'throw notJson(undefined, false);',
    ].map((line) => [
      line,
      'false',
      'true',
      'A message without a position does not tell whether the text ends there.',
    ]),
  ].map(([line = '', code = '', replacement = '', reason = '']) => ({
    file: slicedJson,
    line,
    code,
    replacement,
    reason,
  })),
  {
    file: 'packages/server/src/json/open-container.ts',
    line: "if (name === '__proto__') {",
    code: "name === '__proto__'",
    replacement: 'true',
    reason: 'The definition comes to the same as the assignment, and only takes longer.',
  },
];
