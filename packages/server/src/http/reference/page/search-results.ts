import { element } from './element.ts';
import type { SearchEntry } from './search-index.ts';

const titles = { code: 'Codes', operation: 'Operations', guide: 'Guides', field: 'Fields' } as const;

const shownMax = 12;

/** Lists what a search found, by kind. */
export function resultList(found: readonly SearchEntry[]): HTMLElement[] {
  const kinds = Object.keys(titles) as SearchEntry['kind'][];
  return kinds.flatMap((kind) => {
    const entries = found.filter((entry) => entry.kind === kind);
    if (entries.length === 0) return [];
    const more = entries.length - shownMax;
    return [
      element(
        'section',
        {},
        element('h2', {}, titles[kind]),
        element('ul', {}, ...entries.slice(0, shownMax).map(resultItem)),
        ...(more > 0 ? [element('p', { class: 'more' }, `and ${more} more; add a word to see fewer`)] : []),
      ),
    ];
  });
}

/** Says that nothing was found, and what to try. A button searches for its text. */
export function nothingFound(text: string, tryInstead: (text: string) => void): HTMLElement {
  const examples = ['bind store', '/user/role', 'org_id', '1015'].map((example) => {
    const button = element('button', { type: 'button', class: 'plain small' }, example);
    button.addEventListener('click', () => tryInstead(example));
    return button;
  });
  return element(
    'div',
    { class: 'nothing' },
    element('p', {}, `Nothing has “${text}”.`),
    element('p', {}, 'Try part of an operation, a path, a field or a code:'),
    element('p', { class: 'buttons' }, ...examples),
  );
}

function resultItem({ kind, address, title, detail, method }: SearchEntry): HTMLElement {
  const mark =
    method === undefined ? '' : element('span', { class: `method ${method.toLowerCase()}` }, method);
  const name = kind === 'field' ? element('code', {}, title) : title;
  const link = element(
    'a',
    { href: address, class: kind },
    ...(mark === '' ? [] : [mark]),
    element('span', { class: 'summary' }, name),
    ...(detail === '' ? [] : [element('span', { class: kind === 'operation' ? 'path' : 'detail' }, detail)]),
  );
  return element('li', {}, link);
}
