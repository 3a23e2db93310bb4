import { explainedInBodies } from './explained-in-bodies.ts';
import { explainedInHttp } from './explained-in-http.ts';
import { explainedInJson } from './explained-in-json.ts';
import { explainedInMistakes } from './explained-in-mistakes.ts';
import { explainedInSqlite } from './explained-in-sqlite.ts';
import { explainedInSteps } from './explained-in-steps.ts';
import type { ExplainedSurvivor } from './explained-survivor.ts';

const resource = 'packages/signing/src/canonical-resource.ts';
const nodeCrypto = 'packages/signing/src/crypto/node.ts';
const verifySignature = 'packages/server/src/pipeline/steps/verify-signature.ts';
const explainRefusal = 'packages/server/src/pipeline/failures/explain-refusal.ts';
const readField = 'packages/server/src/pipeline/steps/input/read-field.ts';
const readText = 'packages/server/src/pipeline/steps/input/read-text.ts';
const readInteger = 'packages/server/src/pipeline/steps/input/read-integer.ts';
const lockHolders = 'packages/server/src/database/sqlite/inspection/lock-holders.ts';
const headers = 'packages/signing/src/read-signing-headers.ts';
const countedAnyway =
  'The shortcut only saves time: without it, the characters are counted, with the same result.';
const typeCheckOnly = 'Number.isInteger refuses anything but a number; this check serves the compiler only.';

/** Changes that `npm run test:mutation` counts as explained. */
export const explainedSurvivors: readonly ExplainedSurvivor[] = [
  ...explainedInSteps,
  ...explainedInMistakes,
  {
    file: 'packages/signing/src/sign-request.ts',
    line: "const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? noBody);",
    code: "typeof body === 'string'",
    replacement: 'false',
    reason: 'Node.js hashes a text as its UTF-8 bytes too; the portable implementation takes only bytes.',
  },
  {
    file: 'packages/signing/src/expected-strings.ts',
    line: 'default:',
    code: `default: throw new TypeError(\`a request without a signature is \${verification.outcome}\`);`,
    replacement: 'default:',
    reason:
      'At its own time, with a known application and a wrong signature, a request has no other outcome; the compiler cannot know that.',
  },
  ...[
    ["if (query === '') return noParameters;", "query === ''"],
    ["if (!hasPlus && !query.includes('%')) return oneReading;", "!hasPlus && !query.includes('%')"],
    ['if (parameters.length === 0) return path;', 'parameters.length === 0'],
    [
      'const sorted = parameters.length === 1 ? parameters : parameters.toSorted(byName);',
      'parameters.length === 1',
    ],
    ["if (!text.includes('%')) return text;", "!text.includes('%')"],
  ].map(([line = '', code = '']) => ({
    file: resource,
    line,
    code,
    replacement: 'false',
    reason: 'The shortcut only saves time: the code after it comes to the same result.',
  })),
  {
    file: resource,
    line: 'if (a.name === b.name) return 0;',
    code: 'a.name === b.name',
    replacement: 'false',
    reason: 'The sort of Node.js keeps the order of two entries for any result that is not negative.',
  },
  {
    file: resource,
    line: 'return a.name < b.name ? -1 : 1;',
    code: 'a.name < b.name',
    replacement: 'a.name <= b.name',
    reason: 'The line before has dealt with equal names.',
  },
  {
    file: resource,
    line: '} catch {',
    code: '{ return undefined; }',
    replacement: '{}',
    reason: 'A function that ends without a return returns undefined too.',
  },
  ...[
    [
      'if (fills(left, a) && fills(right, b)) return timingSafeEqual(left, right);',
      'fills(left, a) && fills(right, b)',
      'false',
    ],
    [
      'function fills(bytes: Uint8Array, text: string): boolean {',
      '{ return text.length === bytes.length && encoder.encodeInto(text, bytes).read === bytes.length; }',
      '{}',
    ],
    [
      'return text.length === bytes.length && encoder.encodeInto(text, bytes).read === bytes.length;',
      'text.length === bytes.length && encoder.encodeInto(text, bytes).read === bytes.length',
      'false',
    ],
  ].map(([line = '', code = '', replacement = '']) => ({
    file: nodeCrypto,
    line,
    code,
    replacement,
    reason: 'Without the two kept buffers, the comparison makes new ones, with the same result.',
  })),
  {
    file: 'packages/signing/src/crypto/portable.ts',
    line: 'for (let i = 0; i < left.length; i++) difference |= (left[i] as number) ^ (right[i] as number);',
    code: 'i < left.length',
    replacement: 'i <= left.length',
    reason: 'One step beyond the end of both compares undefined with undefined, which makes no difference.',
  },
  {
    file: verifySignature,
    line: "if (application === undefined) throw new TypeError('a verified application is not in the directory');",
    code: 'application === undefined',
    replacement: 'false',
    reason: 'The directory has just found the secrets of this application.',
  },
  {
    file: explainRefusal,
    line: "const direction = seconds > 0 ? 'ahead of' : 'behind';",
    code: 'seconds > 0',
    replacement: 'seconds >= 0',
    reason:
      'Neither difference is zero: the timestamp has expired, and a clock that is doubted is further off.',
  },
  {
    file: verifySignature,
    line: 'const secrets = applications.findSecrets(appId, secretsAtMs) ?? [];',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'A signature is compared only with secrets that were found at the same moment.',
  },
  {
    file: readField,
    line: "if (input.type === 'array' && input.items !== undefined) {",
    code: 'input.items !== undefined',
    replacement: 'true',
    reason: 'A schema of an array without items is a TypeError either way.',
  },
  ...[
    ["type !== 'array' || items === undefined", "type !== 'array' && items === undefined"],
    ["type !== 'array'", 'false'],
    ['items === undefined', 'false'],
  ].map(([code = '', replacement = '']) => ({
    file: readField,
    line: "if (type !== 'array' || items === undefined || (items as { type?: string }).type !== 'object') {",
    code,
    replacement,
    reason: 'Only an array has items, and the schema of an array without items is a TypeError either way.',
  })),
  {
    file: readText,
    line: "const expression = pattern === undefined ? undefined : new RegExp(pattern, 'u');",
    code: 'pattern === undefined',
    replacement: 'false',
    reason: 'An expression made from undefined matches every text.',
  },
  {
    file: readText,
    line: 'if (maxLength !== undefined && hasMoreCharacters(value, maxLength)) {',
    code: 'maxLength !== undefined',
    replacement: 'true',
    reason: 'No text is longer than undefined; the comparison is there for the type checker.',
  },
  {
    file: readInteger,
    line: "if (typeof value !== 'number' || !Number.isInteger(value)) {",
    code: "typeof value !== 'number'",
    replacement: 'false',
    reason: typeCheckOnly,
  },
  {
    file: 'packages/server/src/pipeline/steps/input/parse-body.ts',
    line: 'while (!json.readSlice()) if (timeSlice.isOver()) await timeSlice.next();',
    code: 'timeSlice.isOver()',
    replacement: 'true',
    reason: 'More iterations of the event loop only take longer.',
  },
  {
    file: 'packages/server/src/pipeline/steps/input/parse-input.ts',
    line: "if (type?.toLowerCase() !== 'application/json' || more.length > 0) return false;",
    code: 'type?.toLowerCase',
    replacement: 'type.toLowerCase',
    reason: 'A text that is split has a first part; the question mark is there for the type checker.',
  },
  {
    file: 'packages/server/src/pipeline/steps/input/refuse-misplaced-values.ts',
    line: 'const required = operation.query?.required ?? [];',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason:
      'A required parameter is looked for among those that the query has, and an operation without a query has none.',
  },
  ...[
    [
      'const connection = new DatabaseSync(url, { timeout: 0 });',
      '{ timeout: 0 }',
      '{}',
      'Node.js has the same default.',
    ],
    ['} catch {', '{ return false; }', '{}', 'A function that ends without a return is not true either.'],
    ...[
      [
        `readText(\`/proc/\${pid}/stat\`).split(') ').at(-1)?.split`,
        `readText(\`/proc/\${pid}/stat\`).split(') ').at(-1).split`,
      ],
      ['[]', '["Stryker was here"]'],
    ].map(([code = '', replacement = '']) => [
      `const afterName = readText(\`/proc/\${pid}/stat\`).split(') ').at(-1)?.split(' ') ?? [];`,
      code,
      replacement,
      'A text that is split has a last part; only the type says that it may have none.',
    ]),
  ].map(([line = '', code = '', replacement = '', reason = '']) => ({
    file: lockHolders,
    line,
    code,
    replacement,
    reason,
  })),
  ...['false', 'nonce.length < max'].map((replacement) => ({
    file: headers,
    line: 'if (nonce.length <= max) return undefined;',
    code: 'nonce.length <= max',
    replacement,
    reason: countedAnyway,
  })),
  ...explainedInBodies,
  ...explainedInHttp,
  ...explainedInJson,
  ...explainedInSqlite,
];
