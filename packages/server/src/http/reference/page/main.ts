import { parsePrintableJson } from '../../../exact-json.ts';
import { element, requireElement } from './element.ts';
import { showMenu } from './menu.ts';
import { operationView } from './operation-view.ts';
import { type OpenApiDocument, type Operation, readOperations } from './operations.ts';

const main = requireElement('operation', HTMLElement);

async function loadDocument(): Promise<OpenApiDocument> {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error(`GET /openapi.json answered ${answer.status}: ${await answer.text()}`);
  return parsePrintableJson(await answer.text()) as OpenApiDocument;
}

/** Returns the name in the address, such as `#/create-user`: operations can be linked to, and the back button works. */
function chosenName(): string {
  const name = location.hash.replace(/^#\/?/, '');
  // The skip link leads to the main element, which is not an operation.
  return name === main.id ? '' : name;
}

// A form makes browsers treat the secret as a credential; there is nothing to submit.
requireElement('credentials', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());

async function start(): Promise<void> {
  const document_ = await loadDocument();
  const operations = readOperations(document_);
  const basePath = (document_.servers[0]?.url ?? '').replace(/\/$/, '');
  requireElement('version', HTMLElement).textContent = `Version ${document_.info.version}`;
  const menu = showMenu(operations);
  // Keeps input and answers while the user looks at other operations.
  const views = new Map<string, HTMLElement>();
  const show = (operation: Operation) => {
    const view = views.get(operation.id) ?? operationView(operation, basePath);
    views.set(operation.id, view);
    main.replaceChildren(view);
    document.title = `${operation.summary} – Fieldroster API reference`;
    menu.mark(operation.id);
  };
  const showChosen = (chosen: string) => {
    const found = operations.find(({ id, name }) => id === chosen || name === chosen);
    if (found !== undefined) return show(found);
    menu.mark('');
    showProblem(`There is no operation "${chosen}". Choose one from the list.`);
  };
  showChosen(chosenName() || (operations[0]?.name ?? ''));
  addEventListener('hashchange', () => {
    const chosen = chosenName();
    if (chosen === '') return;
    showChosen(chosen);
    scrollTo({ top: 0 });
    main.focus({ preventScroll: true });
  });
}

function showProblem(text: string): void {
  main.replaceChildren(element('p', { class: 'problem', role: 'alert' }, text));
}

start().catch((error: unknown) => showProblem(`The reference cannot be shown. ${(error as Error).message}`));
