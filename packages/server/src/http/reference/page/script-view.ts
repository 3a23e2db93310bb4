import { element } from './element.ts';
import { paragraph } from './rich-text.ts';
import { findServer } from './server-address.ts';
import type { ScriptLanguage, ScriptRequest } from './signing-script/script-language.ts';
import { scriptLanguages } from './signing-script/script-languages.ts';
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
  code.setAttribute('aria-label', 'Script');
  const about = element('div', { class: 'script-about' });
  const save = element('a', { class: 'button plain small' }, 'Save');
  const head = element(
    'div',
    { class: 'split' },
    about,
    element(
      'span',
      { class: 'buttons' },
      copyButton('Script', () => code.textContent ?? ''),
      save,
    ),
  );
  const show = async () => {
    if (!details.open) return;
    const language = chosen;
    const text = language.write(request(), await signerOf(language));
    if (language !== chosen) return;
    code.textContent = text;
    about.replaceChildren(...instructions(language));
    save.setAttribute('download', language.fileName);
    save.textContent = `Save ${language.fileName}`;
    URL.revokeObjectURL(save.href);
    save.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  };
  const details = element(
    'details',
    { class: 'script' },
    element('summary', {}, 'As a script that signs when it runs'),
    element('div', { class: 'script-content' }, languageChoice(operationId, show), head, code),
  );
  details.addEventListener('toggle', () => {
    markChosen(details);
    show();
  });
  return { element: details, update: show };
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
  return loading;
}

async function load({ id }: ScriptLanguage): Promise<string> {
  const answer = await fetch(new URL(`signers/${id}`, findServer().docsFolder));
  if (!answer.ok) throw new Error(`the signer of ${id} cannot be loaded: HTTP ${answer.status}`);
  return answer.text();
}
