import { element } from '../element.ts';
import { signedPartsTable } from '../signed-parts.ts';
import { pre, textBlock } from '../text-block.ts';
import { type ExampleRequest, type SigningStages, signingStages } from './signing-stages.ts';
import { textTable } from './text-table.ts';

/** The request with which the example begins; docs/interface.md has it too. */
const initial: ExampleRequest = {
  method: 'GET',
  target: '/user?username=li.wei&name=%E5%BC%A0%20%E4%B8%89',
  body: '',
  appId: 'fieldapp01',
  appSecret: 'not-a-secret-just-an-example',
  timestamp: '1767225600',
  nonce: '0b7e9c4a1d2f4f6e8a3c5d7b9e1f2a40',
};

const labels: Readonly<Record<keyof ExampleRequest, string>> = {
  method: 'Method',
  target: 'Path and query, as sent',
  body: 'Body, as sent',
  appId: 'APPID',
  appSecret: 'APPSECRET',
  timestamp: 'Timestamp',
  nonce: 'Nonce',
};

/** Makes a form with a request, and every stage of its signature, which follow what is typed. */
export function signingExample(): HTMLElement {
  const inputs = {
    method: choice('method', ['GET', 'POST', 'PUT', 'DELETE']),
    target: input('target'),
    body: area('body'),
    appId: input('appId'),
    appSecret: input('appSecret'),
    timestamp: input('timestamp'),
    nonce: input('nonce'),
  };
  const entries = Object.entries(inputs) as [keyof ExampleRequest, HTMLInputElement][];
  const stages = element('div', { class: 'stages' });
  const problem = element('p', { class: 'problem', role: 'alert', hidden: true });
  const follow = () => {
    const request = Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
    try {
      stages.replaceChildren(...stageViews(signingStages(request as unknown as ExampleRequest)));
      problem.hidden = true;
    } catch (error) {
      stages.replaceChildren();
      problem.textContent = (error as Error).message;
      problem.hidden = false;
    }
  };
  const fields = entries.map(([name, control]) =>
    element(
      'div',
      { class: `field of-${name}` },
      element('label', { for: control.id }, labels[name]),
      control,
    ),
  );
  // A form would send the page somewhere on Enter, and make the browser offer to keep the secret.
  const form = element(
    'div',
    { class: 'example', role: 'group', 'aria-label': 'Request to sign' },
    ...fields,
  );
  form.addEventListener('input', follow);
  follow();
  return element('div', { class: 'worked' }, form, element('div', {}, problem, stages));
}

function stageViews({ body, parameters, parts, signature, headers }: SigningStages): HTMLElement[] {
  const rows = parameters.map(({ sent, name, value }) => [`${name}=${value}`, sent] as [string, string]);
  const query =
    rows.length === 0
      ? element('p', {}, 'There is no query: the path alone is the resource.')
      : plainTable('Parameters, sorted', ['Decoded and sorted', 'As sent'], rows);
  return [
    stage(1, 'Content-MD5', element('p', {}, body), ...code(parts.contentMd5)),
    stage(2, 'CanonicalizedResource', query, ...code(parts.canonicalResource)),
    stage(
      3,
      'String to sign',
      element('p', {}, 'One part in each line, with one line feed between them and none at the end.'),
      signedPartsTable(parts),
    ),
    stage(
      4,
      'Signature',
      element('p', {}, 'Base64 of HMAC-SHA256 over the string in UTF-8, with the APPSECRET as the key.'),
      ...code(signature),
    ),
    textBlock('Headers to send', headers),
  ];
}

function stage(number: number, title: string, ...content: readonly HTMLElement[]): HTMLElement {
  const heading = element('h4', {}, element('span', { class: 'step' }, String(number)), ` ${title}`);
  return element('section', { class: 'block', 'aria-label': title }, heading, ...content);
}

function code(text: string | undefined): HTMLElement[] {
  return text === undefined ? [] : [pre(text)];
}

/** Makes a table whose cells are code, because typed text must not be read as markup. */
function plainTable(
  caption: string,
  heads: readonly string[],
  rows: readonly [string, string][],
): HTMLElement {
  const made = textTable(
    caption,
    heads,
    rows.map(() => ['', '']),
  );
  for (const [index, row] of [...made.querySelectorAll('tbody tr')].entries()) {
    for (const [column, cell] of [...row.children].entries()) {
      cell.append(element('code', {}, rows[index]?.[column] ?? ''));
    }
  }
  return made;
}

function input(name: keyof ExampleRequest): HTMLInputElement {
  const attributes = { id: `example-${name}`, type: 'text', autocomplete: 'off', spellcheck: 'false' };
  const made = element('input', attributes);
  made.value = initial[name];
  return made;
}

function area(name: keyof ExampleRequest): HTMLTextAreaElement {
  const made = element('textarea', {
    id: `example-${name}`,
    rows: '3',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  made.value = initial[name];
  return made;
}

function choice(name: keyof ExampleRequest, values: readonly string[]): HTMLSelectElement {
  const options = values.map((value) =>
    element('option', { value, selected: value === initial[name] }, value),
  );
  return element('select', { id: `example-${name}` }, ...options);
}
