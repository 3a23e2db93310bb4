import { element } from './element.ts';

const markPattern = /`([^`]+)`|\[([^\]]+)\]\((#[^)]+)\)/g;

/** Turns `` `code` `` and `[text](#/address)` in a text into elements. Nothing else is markup. */
export function richText(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(markPattern)) {
    const [whole, code, label = '', address = ''] = match;
    parts.push(text.slice(end, match.index));
    parts.push(code === undefined ? element('a', { href: address }, label) : element('code', {}, code));
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}

/** Makes a paragraph of {@link richText}. */
export function paragraph(text: string, attributes: Readonly<Record<string, string>> = {}): HTMLElement {
  return element('p', attributes, ...richText(text));
}
