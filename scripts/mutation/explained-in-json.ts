import type { ExplainedSurvivor } from './explained-survivor.ts';

const exactJson = 'packages/server/src/json/exact-json.ts';

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
    file: 'packages/server/src/json/open-container.ts',
    line: "if (name === '__proto__') {",
    code: "name === '__proto__'",
    replacement: 'true',
    reason: 'The definition comes to the same as the assignment, and only takes longer.',
  },
];
