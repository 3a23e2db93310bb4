import {
  type ScriptLanguage,
  type ScriptRequest,
  scriptLanguages,
} from '@fieldroster/contract/signing-scripts';
import { element } from './element.ts';
import { paragraph } from './rich-text.ts';
import { findServer } from './server-address.ts';
import { copyButton, pre } from './text-block.ts';

export interface ScriptView {
  readonly element: HTMLElement;
  /** Writes the script again, after the request was edited. */
  update(): void;
}

/** The language chosen last, on any operation. */
let chosen: ScriptLanguage = scriptLanguages[0] as ScriptLanguage;

/**
 * Makes the view of a request as a script that signs when it runs, in a language to choose. It shows the script when it
 * is opened.
 *
 * @param request returns the request as entered
 */
export function scriptView(operationId: string, request: () => ScriptRequest): ScriptView {
  const code = pre();
  // Without a role, an element that is still empty may not have a name.
  code.setAttribute('role', 'group');
  code.setAttribute('aria-label', 'Script');
  const about = element('div', { class: 'script-about' });
  const save = element('a', { class: 'button plain small' }, 'Save');
  const copy = copyButton('Script', () => code.textContent ?? '');
  const head = element('div', { class: 'split' }, about, element('span', { class: 'buttons' }, copy, save));
  const show = async () => {
    if (!details.open) return;
    const language = chosen;
    const signer = await signerOf(language);
    if (language !== chosen) return;
    code.textContent = language.write(request(), signer);
    about.replaceChildren(...instructions(language));
    offerFile(save, language.fileName, code.textContent);
  };
  const update = () => {
    show().catch((error: Error) => {
      code.textContent = '';
      about.replaceChildren(element('p', { role: 'alert' }, `There is no script: ${error.message}`));
    });
  };
  const details = element(
    'details',
    { class: 'script' },
    element('summary', {}, 'As a script that signs when it runs'),
    element('div', { class: 'script-content' }, languageChoice(operationId, update), head, code),
  );
  details.addEventListener('toggle', () => {
    markChosen(details);
    update();
  });
  return { element: details, update };
}

function offerFile(link: HTMLAnchorElement, name: string, text: string): void {
  link.download = name;
  link.textContent = `Save ${name}`;
  URL.revokeObjectURL(link.href);
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
}

function instructions({ needs, command }: ScriptLanguage): HTMLElement[] {
  return [
    paragraph(
      `Run it with \`${command}\`. It needs ${needs}, and reads \`FIELDROSTER_APP_ID\` and \`FIELDROSTER_APP_SECRET\` from the environment.`,
    ),
    paragraph(
      'Each run is a new request with a new signature. To repeat a write whose answer was lost, see [retries](#/retries).',
    ),
  ];
}

function languageChoice(operationId: string, show: () => void): HTMLElement {
  const choices = scriptLanguages.map((language) => {
    const input = element('input', {
      type: 'radio',
      name: `${operationId}-language`,
      value: language.id,
    });
    input.addEventListener('change', () => {
      chosen = language;
      show();
    });
    return element('label', {}, input, element('span', {}, language.name));
  });
  return element(
    'fieldset',
    { class: 'choices' },
    element('legend', { class: 'unseen' }, 'Language'),
    ...choices,
  );
}

function markChosen(details: HTMLElement): void {
  for (const input of details.querySelectorAll('input')) input.checked = input.value === chosen.id;
}

const signers = new Map<ScriptLanguage, Promise<string>>();

function signerOf(language: ScriptLanguage): Promise<string> {
  const loading = signers.get(language) ?? load(language);
  signers.set(language, loading);
  // A failure is not kept, so that the next attempt loads it again.
  loading.catch(() => signers.delete(language));
  return loading;
}

async function load({ id }: ScriptLanguage): Promise<string> {
  const answer = await fetch(new URL(`signers/${id}`, findServer().docsFolder));
  if (!answer.ok) throw new Error(`the signer of ${id} cannot be loaded: HTTP ${answer.status}`);
  return answer.text();
}
