import { answerView } from './answer-view.ts';
import { element, table } from './element.ts';
import { fieldRows } from './field-rows.ts';
import type { ErrorCode, Operation } from './operations.ts';
import { requestForm } from './request-form.ts';
import { paragraph, richText } from './rich-text.ts';

/**
 * Makes the view of an operation: its request to edit, its answer and its reference.
 *
 * @param sharedCodes the codes that every operation may answer
 */
export function operationView(
  operation: Operation,
  basePath: string,
  sharedCodes: ReadonlySet<number>,
): HTMLElement {
  const answer = answerView(operation.exampleAnswer);
  const { form, script } = requestForm(operation, basePath, answer);
  return element(
    'article',
    { 'aria-labelledby': `title-${operation.id}` },
    heading(operation),
    element('div', { class: 'work' }, form, script, answer.element, reference(operation, sharedCodes)),
  );
}

function heading({ id, method, path, summary, description, scope, isExtension }: Operation): HTMLElement {
  return element(
    'header',
    { class: 'intro' },
    element('h2', { id: `title-${id}` }, summary),
    element(
      'p',
      { class: 'route' },
      element('span', { class: `method ${method.toLowerCase()}` }, method),
      element('code', {}, path),
      element('span', { class: 'tag' }, `scope ${scope}`),
      ...(isExtension ? [element('span', { class: 'tag' }, 'extension')] : []),
    ),
    paragraph(description),
  );
}

function reference({ body, data, codes }: Operation, sharedCodes: ReadonlySet<number>): HTMLElement {
  const fields = (title: string, rows: readonly HTMLTableRowElement[]) =>
    rows.length === 0 ? [] : [section(title, table(title, ['Field', 'Type', 'Meaning and rules'], rows))];
  const isShared = ({ code }: ErrorCode) => sharedCodes.has(code);
  return element(
    'div',
    { class: 'reference' },
    ...fields('Fields of the body', body === undefined ? [] : fieldRows(body.schema, true)),
    ...fields('Fields of data in the answer', data === undefined ? [] : fieldRows(data, false)),
    ...codeTable(
      'Codes it may answer',
      codes.filter((code) => !isShared(code)),
    ),
    ...codeTable('Codes that every operation may answer', codes.filter(isShared)),
  );
}

function codeTable(title: string, codes: readonly ErrorCode[]): HTMLElement[] {
  const rows = codes.map(({ code, meaning, cause }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('a', { href: `#/codes/${code}` }, String(code))),
      element('td', {}, meaning),
      element('td', {}, ...richText(cause)),
    ),
  );
  return codes.length === 0
    ? []
    : [section(title, table(title, ['Code', 'Meaning', 'What causes it'], rows), 'codes')];
}

function section(title: string, content: HTMLElement, kind = ''): HTMLElement {
  return element('section', { class: kind }, element('h3', {}, title), content);
}
