import type { AnswerView } from './answer-view.ts';
import { bodyEditor } from './body-editor.ts';
import { element, requireElement } from './element.ts';
import type { Operation } from './operations.ts';
import { parameterField } from './parameter-field.ts';
import { type PreparedRequest, prepareRequest, targetOf } from './prepare-request.ts';
import { scriptView } from './script-view.ts';
import { findServer } from './server-address.ts';

/** Makes the form in which an operation's request is edited, signed and sent, and the request as a script. */
export function requestForm(
  operation: Operation,
  basePath: string,
  answer: AnswerView,
): { readonly form: HTMLFormElement; readonly script: HTMLElement } {
  const fields = operation.parameters.map((parameter) => parameterField(parameter, operation.id));
  const editor = operation.body && bodyEditor(operation);
  const signOnly = element('button', { type: 'button', class: 'plain' }, 'Sign without sending');
  const draft = () => ({
    method: operation.method,
    origin: findServer().origin,
    path: basePath + operation.path,
    query: fields
      .filter((field) => field.value() !== '')
      .map(({ parameter, value }) => [parameter.name, value()] as const),
    body: editor?.text(),
  });
  const script = scriptView(operation.id, () => ({ ...draft(), target: targetOf(draft()) }));
  const hasInput = fields.length > 0 || editor !== undefined;
  const mayBeEmpty = operation.parameters.some(({ required }) => !required);
  const form = element(
    'form',
    { 'aria-label': 'Request', novalidate: true },
    element('h3', {}, 'Request'),
    ...(mayBeEmpty ? [element('p', { class: 'note' }, 'A parameter with an empty field is left out.')] : []),
    ...fields.map((field) => field.element),
    ...(editor === undefined ? [] : [editor.element]),
    ...(hasInput ? [] : [element('p', {}, 'It has no parameters.')]),
    element('p', { class: 'buttons' }, element('button', { type: 'submit' }, 'Send'), signOnly),
  );
  const prepare = () => prepareRequest({ ...draft(), ...credentials() });
  signOnly.addEventListener('click', () => attempt(prepare, answer.showSigned, answer));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(prepare, answer.send, answer);
  });
  form.addEventListener('input', script.update);
  sendByShortcut(form);
  return { form, script: script.element };
}

class MissingCredential extends Error {
  readonly input: HTMLInputElement;

  constructor(input: HTMLInputElement, name: string) {
    super(`Enter the ${name} at the top of the page first.`);
    this.input = input;
  }
}

function credentials(): { appId: string; appSecret: string } {
  const appId = requireElement('app-id', HTMLInputElement);
  const appSecret = requireElement('app-secret', HTMLInputElement);
  if (appId.value.trim() === '') throw new MissingCredential(appId, 'APPID');
  if (appSecret.value === '') throw new MissingCredential(appSecret, 'APPSECRET');
  return { appId: appId.value.trim(), appSecret: appSecret.value };
}

function attempt(
  prepare: () => PreparedRequest,
  use: (request: PreparedRequest) => void,
  answer: AnswerView,
): void {
  try {
    use(prepare());
  } catch (error) {
    answer.showProblem((error as Error).message);
    if (error instanceof MissingCredential) error.input.focus();
  }
}

/** Sends on Ctrl+Enter or Cmd+Enter: in the body editor, Enter is a new line and Tab moves to the next field. */
function sendByShortcut(form: HTMLFormElement): void {
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
}
