import { element } from '../element.ts';
import { paragraph } from '../rich-text.ts';

/** A page that explains something which concerns every operation. */
export interface Guide {
  /** Name in the address, such as `signing`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Further words by which the search finds it. */
  readonly keywords: string;
  view(): HTMLElement;
}

/** Makes the page of a guide: its title and summary, then its sections. */
export function guidePage(
  { name, title, summary }: Pick<Guide, 'name' | 'title' | 'summary'>,
  ...sections: readonly HTMLElement[]
): HTMLElement {
  const heading = element('h2', { id: `title-${name}` }, title);
  const intro = element('header', { class: 'intro' }, heading, paragraph(summary));
  return element('article', { class: 'guide', 'aria-labelledby': `title-${name}` }, intro, ...sections);
}

/** Makes a titled section of a guide. Strings are paragraphs of rich text. */
export function guideSection(title: string, ...content: readonly (HTMLElement | string)[]): HTMLElement {
  const parts = content.map((part) => (typeof part === 'string' ? paragraph(part) : part));
  return element('section', { class: 'prose' }, element('h3', {}, title), ...parts);
}
