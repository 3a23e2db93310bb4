import {
  type ErrorCode,
  type ErrorCodeEntry,
  errorCodes,
  type Operation,
  operations,
  particularCodesOf,
  sharedCodes,
} from '@fieldroster/contract';
import { causes } from './causes.ts';
import { generatedNotice } from './generated-notice.ts';
import { markdownTable } from './markdown-table.ts';

const table: Readonly<Record<ErrorCode, ErrorCodeEntry>> = errorCodes;

const codes = Object.keys(table).map(Number) as ErrorCode[];

const fixed = codes.filter((code) => table[code].fixedBeginnings !== undefined);

/** Renders the page of all codes: meaning, statuses, cure, and the operations that answer them. */
export function errorsPage(): string {
  return `${generatedNotice}# Error codes

Every answer is an envelope, \`{"code":…,"message":…}\`. Decide by \`code\`: 0 is success, anything else a
failure. The message is for people: it names the field and the rule, or the identifier that was not found. A published
code keeps its meaning, and new codes may join the ranges. Messages may change, except for the beginnings that the codes
${list(fixed)} list: programs may read these.

The HTTP status is 200 for every answer about an operation, because deployed clients read the envelope of a 200 only.
The server always sends a status marked *always*; \`--http-status standard\` sends the standard status for every code.

${codeTable()}

${codes.map(section).join('\n\n')}
`;
}

function codeTable(): string {
  return markdownTable(
    ['code', 'meaning', 'HTTP status', 'standard'],
    [
      ['0', 'success', '200', '200'],
      ...codes.map((code) => {
        const { name, meaning, standardStatus, statusAlwaysSent } = table[code];
        const sent = statusAlwaysSent ? `${standardStatus}, always` : '200';
        return [`[${code}](#${code}-${name})`, meaning, sent, String(standardStatus)];
      }),
    ],
  );
}

function section(code: ErrorCode): string {
  const { name, meaning, cure, standardStatus, statusAlwaysSent } = table[code];
  const status = statusAlwaysSent
    ? `${standardStatus} in every mode`
    : `200; ${standardStatus} under \`--http-status standard\``;
  return `## ${code} ${name}

- **Meaning:** ${meaning}
- **HTTP status:** ${status}
- **What causes it:** ${causes[code]}
- **What to do:** ${cure}${beginnings(code)}
- **Answered by:** ${answeredBy(code)}`;
}

function beginnings(code: ErrorCode): string {
  const { fixedBeginnings = [] } = table[code];
  if (fixedBeginnings.length === 0) return '';
  const each = fixedBeginnings.map(({ text, tells }) => `\n  - \`${text}\`: ${tells}.`);
  return `\n- **Beginnings of the message that never change:**${each.join('')}`;
}

function list(numbers: readonly number[]): string {
  return `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

function answeredBy(code: ErrorCode): string {
  if ((sharedCodes as readonly number[]).includes(code)) return 'every operation';
  const all: readonly Operation[] = Object.values(operations);
  const answering = all.filter((operation) => particularCodesOf(operation).includes(code));
  if (answering.length === 0) return 'no operation: none was reached';
  if (isAnsweredByEvery(answering, ({ body }) => body !== undefined)) return 'every operation with a body';
  return answering.map(({ name }) => `[${name}](operations.md#${name})`).join(', ');
}

function isAnsweredByEvery(answering: readonly Operation[], isMeant: (operation: Operation) => boolean) {
  const meant = Object.values(operations).filter(isMeant);
  return meant.length === answering.length && answering.every(isMeant);
}
