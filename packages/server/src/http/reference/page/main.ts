import { element, requireElement } from './element.ts';
import { parsePrintableJson } from './exact-json.ts';
import { showMenu } from './menu.ts';
import { operationView } from './operation-view.ts';
import { type OpenApiDocument, type Operation, readOperations } from './operations.ts';

const main = requireElement('operation', HTMLElement);

async function loadDocument(): Promise<OpenApiDocument> {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error(`GET /openapi.json answered ${answer.status}: ${await answer.text()}`);
  return parsePrintableJson(await answer.text()) as OpenApiDocument;
}

/** An operation is an address, such as `#/createUser`: it can be linked to, and the back button works. */
function chosenId(): string {
  return decodeURIComponent(/^#\/(.*)$/.exec(location.hash)?.[1] ?? '');
}

// A form, so that browsers know the secret for a credential; there is nothing to submit.
requireElement('credentials', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());

async function start(): Promise<void> {
  const document_ = await loadDocument();
  const operations = readOperations(document_);
  const basePath = (document_.servers[0]?.url ?? '').replace(/\/$/, '');
  requireElement('version', HTMLElement).textContent = `Version ${document_.info.version}`;
  const menu = showMenu(operations);
  // What was written and answered stays as it was while other operations are looked at.
  const views = new Map<string, HTMLElement>();
  const show = (operation: Operation) => {
    const view = views.get(operation.id) ?? operationView(operation, basePath);
    views.set(operation.id, view);
    main.replaceChildren(view);
    document.title = `${operation.summary} – Fieldroster API reference`;
    menu.mark(operation.id);
  };
  const find = (id: string) => operations.find((operation) => operation.id === id);
  const first = find(chosenId()) ?? operations[0];
  if (first !== undefined) show(first);
  addEventListener('hashchange', () => {
    const chosen = find(chosenId());
    if (chosen === undefined) return;
    show(chosen);
    scrollTo({ top: 0 });
    main.focus({ preventScroll: true });
  });
}

start().catch((error: unknown) => {
  const text = `The reference cannot be shown. ${(error as Error).message}`;
  main.replaceChildren(element('p', { class: 'problem', role: 'alert' }, text));
});
