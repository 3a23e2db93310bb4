type Attributes = Readonly<Record<string, string | boolean>>;

/**
 * Makes an element. Texts become text nodes: nothing that a server answers is ever read as markup.
 *
 * @param attributes a value of `true` sets the attribute, `false` leaves it out
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

/** An element that the document has, of the kind it must have. */
export function requireElement<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`the page has no ${kind.name} with the id ${id}`);
  return found;
}

/** A table with a caption for those who do not see it, that scrolls sideways where it is too wide. */
export function table(caption: string, heads: readonly string[], rows: readonly HTMLTableRowElement[]) {
  const head = element('tr', {}, ...heads.map((text) => element('th', { scope: 'col' }, text)));
  return element(
    'table',
    {},
    element('caption', { class: 'unseen' }, caption),
    element('thead', {}, head),
    element('tbody', {}, ...rows),
  );
}
