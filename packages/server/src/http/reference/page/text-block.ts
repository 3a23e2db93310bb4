import { element } from './element.ts';
import { formatJson } from './format-json.ts';

/** Makes a titled text with a copy button. `content` replaces the plain text where there is a better form. */
export function textBlock(
  title: string,
  text: string,
  content: readonly HTMLElement[] = [pre(text)],
  ...about: readonly HTMLElement[]
): HTMLElement {
  const head = element(
    'div',
    { class: 'split' },
    element('h4', {}, title),
    copyButton(title, () => text),
  );
  return element('section', { class: 'block', 'aria-label': title }, head, ...content, ...about);
}

/** Makes a button that copies what `text` returns. */
export function copyButton(title: string, text: () => string): HTMLButtonElement {
  const copy = element('button', { type: 'button', class: 'plain small' }, 'Copy');
  copy.setAttribute('aria-label', `Copy: ${title}`);
  // Browsers offer the clipboard only on HTTPS and localhost.
  copy.hidden = navigator.clipboard === undefined;
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text());
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  return copy;
}

/** Makes a block of JSON, formatted and coloured; other text stays as it is. */
export function jsonBlock(title: string, text: string): HTMLElement {
  const pieces = formatJson(text);
  if (pieces === undefined) return textBlock(title, text);
  const coloured = pieces.map(({ kind, text: piece }) => element('span', { class: kind }, piece));
  return textBlock(title, text, [pre(...coloured)]);
}

/** Makes a preformatted block that can be scrolled with the keyboard. */
export function pre(...children: readonly (Node | string)[]): HTMLElement {
  return element('pre', { tabindex: '0' }, ...children);
}
