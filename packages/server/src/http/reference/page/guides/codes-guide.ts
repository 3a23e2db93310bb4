import { element } from '../element.ts';
import type { ErrorCode, Operation } from '../operations.ts';
import { richText } from '../rich-text.ts';
import { type Guide, guidePage } from './guide.ts';
import { textTable } from './text-table.ts';

/** Makes the guide of all codes, with a section for each. */
export function codesGuide(
  codes: readonly ErrorCode[],
  operations: readonly Operation[],
  sharedCodes: ReadonlySet<number>,
): Guide {
  const about = {
    name: 'codes',
    title: 'Codes',
    summary:
      'What each code means, what causes it and what to do. A published code keeps its meaning; new ones may join.',
  };
  const view = () =>
    guidePage(
      about,
      overview(codes),
      ...codes.map((code) => section(code, answeredBy(code.code, operations, sharedCodes))),
    );
  return { ...about, keywords: 'error errors failure cause cure', view };
}

function overview(codes: readonly ErrorCode[]): HTMLElement {
  const rows = codes.map(({ code, meaning }) => [`[${code}](#/codes/${code})`, meaning] as [string, string]);
  return element('section', { class: 'overview' }, textTable('All codes', ['Code', 'Meaning'], rows));
}

function section(entry: ErrorCode, answeredBy: string): HTMLElement {
  const { code, name, meaning, cause, cure } = entry;
  const facts = [
    ['What causes it', cause],
    ['What to do', cure],
    ['HTTP status', statusOf(entry)],
    ['Answered by', answeredBy],
  ];
  return element(
    'section',
    { class: 'code', id: `code-${code}`, tabindex: '-1' },
    element(
      'h3',
      {},
      element('code', {}, String(code)),
      ` ${meaning} `,
      element('span', { class: 'tag' }, name),
    ),
    element(
      'dl',
      {},
      ...facts.flatMap(([term = '', text = '']) => [
        element('dt', {}, term),
        element('dd', {}, ...richText(text)),
      ]),
    ),
  );
}

function statusOf({ standardStatus, statusAlwaysSent }: ErrorCode): string {
  return statusAlwaysSent
    ? `${standardStatus} in every mode`
    : `200; ${standardStatus} under \`--http-status standard\``;
}

function answeredBy(code: number, operations: readonly Operation[], shared: ReadonlySet<number>): string {
  if (shared.has(code)) return 'every operation';
  const answering = operations.filter(({ codes }) => codes.some((one) => one.code === code));
  if (answering.length === 0) return 'no operation: none was reached';
  if (sameMembers(answering, operations, ({ body }) => body !== undefined))
    return 'every operation with a body';
  if (sameMembers(answering, operations, ({ scope }) => scope !== 'read')) {
    return 'every operation that writes';
  }
  return answering.map(({ summary, name }) => `[${summary}](#/${name})`).join(' · ');
}

function sameMembers(
  answering: readonly Operation[],
  operations: readonly Operation[],
  isMeant: (operation: Operation) => boolean,
): boolean {
  return answering.every(isMeant) && answering.length === operations.filter(isMeant).length;
}
