import { element, requireElement } from './element.ts';
import type { Guide } from './guides/guide.ts';
import type { Operation } from './operations.ts';
import { type SearchEntry, search } from './search-index.ts';
import { nothingFound, resultList } from './search-results.ts';

export interface Menu {
  /** Marks the operation or guide that is on the page. */
  mark(name: string): void;
}

const sideBySide = matchMedia('(min-width: 60rem)');

/** Lists the guides, and the operations by group, with a search through `entries`. */
export function showMenu(
  guides: readonly Guide[],
  operations: readonly Operation[],
  entries: readonly SearchEntry[],
): Menu {
  const links = new Map([
    ...guides.map((guide) => [guide.name, guideLink(guide)] as const),
    ...operations.map((operation) => [operation.name, operationLink(operation)] as const),
  ]);
  const linksOf = (members: readonly { readonly name: string }[]) =>
    members.map(({ name }) => links.get(name) as HTMLElement);
  const groups = [...Map.groupBy(operations, ({ group }) => group)];
  const list = requireElement('operations', HTMLElement);
  list.replaceChildren(
    section('Guides', linksOf(guides)),
    ...groups.map(([group, members]) => section(group, linksOf(members))),
  );
  const menu = openWhereThereIsRoom();
  searchThrough(entries, list, menu);
  return {
    mark(name) {
      for (const [one, link] of links) markLink(link, one === name);
      menu.open = sideBySide.matches;
    },
  };
}

function guideLink({ name, title }: Guide): HTMLElement {
  return element('li', {}, element('a', { href: `#/${name}`, class: 'guide' }, title));
}

function operationLink({ name, method, path, summary, isExtension }: Operation): HTMLElement {
  const link = element(
    'a',
    { href: `#/${name}` },
    element('span', { class: `method ${method.toLowerCase()}` }, method),
    element('span', { class: 'summary' }, summary),
    element('span', { class: 'path' }, path, ...(isExtension ? [' ·\u00a0extension'] : [])),
  );
  return element('li', {}, link);
}

function section(group: string, items: readonly HTMLElement[]): HTMLElement {
  return element('section', {}, element('h2', {}, group), element('ul', {}, ...items));
}

function markLink(item: HTMLElement, isCurrent: boolean): void {
  const link = item.firstElementChild;
  if (isCurrent) link?.setAttribute('aria-current', 'page');
  else link?.removeAttribute('aria-current');
}

function searchThrough(entries: readonly SearchEntry[], list: HTMLElement, menu: HTMLDetailsElement): void {
  const field = requireElement('search', HTMLInputElement);
  const results = requireElement('results', HTMLElement);
  const said = requireElement('found', HTMLElement);
  const look = () => {
    const text = field.value.trim();
    const found = search(entries, text);
    list.hidden = text !== '';
    said.textContent = text === '' ? '' : `${found.length} found`;
    const empty = () => nothingFound(text, searchFor);
    results.replaceChildren(...(text === '' ? [] : found.length === 0 ? [empty()] : resultList(found)));
  };
  const searchFor = (text: string) => {
    field.value = text;
    look();
    field.focus();
  };
  field.addEventListener('input', look);
  followKeys(field, results, menu, () => searchFor(''));
}

/** `/` goes to the search, Enter opens the first result, the arrows walk through them, Escape clears. */
function followKeys(
  field: HTMLInputElement,
  results: HTMLElement,
  menu: HTMLDetailsElement,
  clear: () => void,
): void {
  addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey || isTyping(target)) return;
    event.preventDefault();
    menu.open = true;
    field.focus();
    field.select();
  });
  const nav = field.closest('nav') ?? results;
  nav.addEventListener('keydown', (event) => {
    const links = [...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Escape') clear();
    else if (event.key === 'Enter' && document.activeElement === field) links[0]?.click();
    else if (event.key === 'ArrowDown') (links[at + 1] ?? links[at])?.focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus();
    else return;
    if (event.key !== 'Escape' || field.value === '') event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input:not([type=radio]), textarea, select');
}

/**
 * Keeps the list open beside the operation. On a narrow screen, the list is above the operation and opens on demand.
 */
function openWhereThereIsRoom(): HTMLDetailsElement {
  const menu = requireElement('menu', HTMLDetailsElement);
  const follow = () => {
    menu.open = sideBySide.matches;
  };
  sideBySide.addEventListener('change', follow);
  follow();
  return menu;
}
