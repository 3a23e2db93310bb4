type Attributes = Readonly<Record<string, string | boolean>>;

/**
 * Makes an element. Strings become text nodes, so a server's answer is never parsed as markup.
 *
 * @param attributes `true` sets the attribute without a value, `false` leaves it out
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

/** Returns the element with this id. Throws `TypeError` when it is missing or of another kind. */
export function requireElement<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`the page has no ${kind.name} with the id ${id}`);
  return found;
}

/** Makes a table with a caption for screen readers. It scrolls sideways when it is too wide. */
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
