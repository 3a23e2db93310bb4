import { element, requireElement } from './element.ts';
import type { Operation } from './operations.ts';

export interface Menu {
  /** Marks the operation that is on the page. */
  mark(id: string): void;
}

const sideBySide = matchMedia('(min-width: 60rem)');

/** Lists the operations by group, with a search over their names, paths and texts. */
export function showMenu(operations: readonly Operation[]): Menu {
  const links = new Map(operations.map((operation) => [operation, linkTo(operation)]));
  const sections = [...Map.groupBy(operations, ({ group }) => group)].map(([group, members]) =>
    section(
      group,
      members.map((operation) => links.get(operation) as HTMLElement),
    ),
  );
  requireElement('operations', HTMLElement).replaceChildren(...sections);
  searchThrough(links, sections);
  const menu = openWhereThereIsRoom();
  return {
    mark(id) {
      for (const [operation, link] of links) markLink(link, operation.id === id);
      menu.open = sideBySide.matches;
    },
  };
}

function linkTo({ name, method, path, summary, isExtension }: Operation): HTMLElement {
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

function searchThrough(links: ReadonlyMap<Operation, HTMLElement>, sections: readonly HTMLElement[]): void {
  const search = requireElement('search', HTMLInputElement);
  const found = requireElement('found', HTMLElement);
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [operation, item] of links) item.hidden = !matches(operation, words);
    for (const one of sections) one.hidden = one.querySelector('li:not([hidden])') === null;
    const count = [...links.values()].filter((item) => !item.hidden).length;
    found.textContent = `${count} of ${links.size} operations`;
  });
}

function matches(
  { id, method, path, summary, description, group }: Operation,
  words: readonly string[],
): boolean {
  const text = [id, method, path, summary, description, group].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Keeps the list open beside the operation. On a narrow screen it is above it and opens on demand. */
function openWhereThereIsRoom(): HTMLDetailsElement {
  const menu = requireElement('menu', HTMLDetailsElement);
  const follow = () => {
    menu.open = sideBySide.matches;
  };
  sideBySide.addEventListener('change', follow);
  follow();
  return menu;
}
