import { element, table } from '../element.ts';
import { richText } from '../rich-text.ts';

/** Makes a table of rich text; the first cell of each row is its heading. */
export function textTable(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly [string, ...string[]])[],
): HTMLElement {
  const lines = rows.map(([first, ...rest]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, ...richText(first)),
      ...rest.map((text) => element('td', {}, ...richText(text))),
    ),
  );
  return table(caption, heads, lines);
}
