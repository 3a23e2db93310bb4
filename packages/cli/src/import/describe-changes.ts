import { printable } from '../print.ts';
import type { RowResult } from './send-batch.ts';

const marks = { created: '+', updated: '~', unchanged: '=', applied: '~', failed: '!' } as const;

/** Describes what would happen to a user: one line, plus one for each change. */
export function describeChanges({ line, username, outcome, code, message, answer }: RowResult): string {
  const head = `${marks[outcome]} ${printable(username || '(no username)')}  ${outcome} (line ${line})`;
  if (outcome === 'failed') {
    return `${head}: ${code === undefined ? '' : `${code} `}${printable(message)}\n`;
  }
  const details = answer === undefined ? [] : [...fieldLines(answer), ...storeLines(answer)];
  return [head, ...details.map((detail) => `    ${printable(detail)}`)].map((text) => `${text}\n`).join('');
}

type Answer = NonNullable<RowResult['answer']>;

function fieldLines({ outcome, changes }: Answer): string[] {
  const told = changes.filter(({ field }) => field !== 'username');
  return told.map(({ field, from, to }) =>
    outcome === 'created' || field === 'password'
      ? `${field}: ${to}`
      : `${field}: ${show(from)} → ${show(to)}`,
  );
}

function show(value: string): string {
  return value === '' ? '(empty)' : value;
}

const codesShownMax = 20;

function storeLines({ stores_added, stores_removed }: Answer): string[] {
  return [...storeLine('+', stores_added), ...storeLine('-', stores_removed)];
}

function storeLine(sign: string, codes: readonly string[]): string[] {
  if (codes.length === 0) return [];
  const shown = codes.slice(0, codesShownMax).map((code) => `${sign}${code}`);
  const more = codes.length > codesShownMax ? ` … ${codes.length} in all` : '';
  return [`stores: ${shown.join(' ')}${more}`];
}
