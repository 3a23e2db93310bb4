import { element } from './element.ts';
import { formatJson } from './format-json.ts';
import type { Operation } from './operations.ts';

export interface BodyEditor {
  readonly element: HTMLElement;
  text(): string;
}

const rowsMax = 24;

/** Makes an editor for the body as text, which is signed and sent byte for byte. */
export function bodyEditor({ id, body }: Operation): BodyEditor {
  const example = JSON.stringify(body?.example ?? {}, null, 2);
  const rows = Math.min(rowsMax, example.split('\n').length + 1);
  const area = element('textarea', {
    id: `${id}-body`,
    rows: String(rows),
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    'aria-describedby': `${id}-body-about`,
  });
  area.value = example;
  const about = element('p', { id: `${id}-body-about`, role: 'status' });
  const judge = () => {
    about.textContent =
      formatJson(area.value) === undefined
        ? 'This is not JSON. You can still send it.'
        : 'Signed and sent exactly as written. Ctrl+Enter sends.';
  };
  area.addEventListener('input', judge);
  judge();
  const reset = element('button', { type: 'button', class: 'plain small' }, 'Reset to the example');
  reset.addEventListener('click', () => {
    area.value = example;
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const label = element('label', { for: area.id }, 'Body ', element('span', { class: 'type' }, 'JSON'));
  const head = element('div', { class: 'split' }, label, reset);
  return { element: element('div', { class: 'field' }, head, area, about), text: () => area.value };
}
