import { answerView } from './answer-view.ts';
import { element, table } from './element.ts';
import { fieldRows } from './field-rows.ts';
import type { Operation } from './operations.ts';
import { requestForm } from './request-form.ts';

/** Makes the view of an operation: its request to edit, its answer and its reference. */
export function operationView(operation: Operation, basePath: string): HTMLElement {
  const answer = answerView();
  const form = requestForm(operation, basePath, answer);
  return element(
    'article',
    { 'aria-labelledby': `title-${operation.id}` },
    heading(operation),
    element('div', { class: 'work' }, form, answer.element, reference(operation)),
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
    element('p', {}, description),
  );
}

function reference({ body, data, codes }: Operation): HTMLElement {
  const fields = (title: string, rows: readonly HTMLTableRowElement[]) =>
    rows.length === 0 ? [] : [section(title, table(title, ['Field', 'Type', 'Meaning and rules'], rows))];
  const codeRows = codes.map(({ code, meaning }) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('code', {}, String(code))),
      element('td', {}, meaning),
    ),
  );
  return element(
    'div',
    { class: 'reference' },
    ...fields('Fields of the body', body === undefined ? [] : fieldRows(body.schema, true)),
    ...fields('Fields of data in the answer', data === undefined ? [] : fieldRows(data, false)),
    section('Codes it may answer', table('Codes it may answer', ['Code', 'Meaning'], codeRows)),
  );
}

function section(title: string, content: HTMLElement): HTMLElement {
  return element('section', {}, element('h3', {}, title), content);
}
