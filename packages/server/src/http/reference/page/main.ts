import { parsePrintableJson } from '../../../json/exact-json.ts';
import { element, requireElement } from './element.ts';
import { codesGuide } from './guides/codes-guide.ts';
import { envelopeGuide } from './guides/envelope-guide.ts';
import { retriesGuide } from './guides/retries-guide.ts';
import { signingGuide } from './guides/signing-guide.ts';
import { type Menu, showMenu } from './menu.ts';
import { operationView } from './operation-view.ts';
import { type OpenApiDocument, type Operation, readErrorCodes, readOperations } from './operations.ts';
import { searchEntries } from './search-index.ts';
import { findServer } from './server-address.ts';

const main = requireElement('operation', HTMLElement);

async function loadDocument(): Promise<OpenApiDocument> {
  const { documentUrl } = findServer();
  const answer = await fetch(documentUrl);
  if (!answer.ok)
    throw new Error(`GET ${documentUrl.pathname} answered ${answer.status}: ${await answer.text()}`);
  return parsePrintableJson(await answer.text()) as OpenApiDocument;
}

/** An operation or a guide. */
interface Page {
  readonly names: readonly string[];
  readonly title: string;
  view(): HTMLElement;
}

/** Returns the page and the part of it that the address names, as `#/create-user/email` or `#/codes/1015` does. */
function chosen(): { readonly name: string; readonly part: string } {
  const [name = '', part = ''] = location.hash.replace(/^#\/?/, '').split('/').map(decode);
  // The skip link leads to the main element, which is not a page.
  return name === main.id ? { name: '', part: '' } : { name, part };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// A form makes browsers treat the secret as a credential; there is nothing to submit.
requireElement('credentials', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());

async function start(): Promise<void> {
  const document_ = await loadDocument();
  requireElement('version', HTMLElement).textContent = `Version ${document_.info.version}`;
  const { pages, menu } = readPages(document_);
  const show = pageSwitch(pages, menu);
  const { name, part } = chosen();
  show(name || (pages[0]?.names[0] ?? ''), part);
  addEventListener('hashchange', () => {
    const { name, part } = chosen();
    if (name === '') return;
    if (part === '') scrollTo({ top: 0 });
    main.focus({ preventScroll: true });
    show(name, part);
  });
}

/** Makes the pages, operations first, and the menu that leads to them. */
function readPages(document_: OpenApiDocument): { readonly pages: readonly Page[]; readonly menu: Menu } {
  const operations = readOperations(document_);
  const codes = readErrorCodes(document_);
  const shared = sharedCodes(operations);
  const basePath = (document_.servers[0]?.url ?? '').replace(/\/$/, '');
  const guides = [signingGuide, envelopeGuide, retriesGuide, codesGuide(codes, operations, shared)];
  const menu = showMenu(guides, operations, searchEntries(operations, codes, guides));
  const operationPages = operations.map((operation) => ({
    names: [operation.name, operation.id],
    title: operation.summary,
    view: () => operationView(operation, basePath, shared),
  }));
  const guidePages = guides.map((guide) => ({ ...guide, names: [guide.name] }));
  return { pages: [...operationPages, ...guidePages], menu };
}

/** Returns a function that shows the page with a name, and the part of it that is named. */
function pageSwitch(pages: readonly Page[], menu: Menu): (name: string, part: string) => void {
  // Keeps input and answers while the user looks at other pages.
  const views = new Map<Page, HTMLElement>();
  return (name, part) => {
    const page = pages.find(({ names }) => names.includes(name));
    menu.mark(page?.names[0] ?? '');
    if (page === undefined) return showProblem(`There is no operation "${name}". Choose one from the list.`);
    const view = views.get(page) ?? page.view();
    views.set(page, view);
    main.replaceChildren(view);
    document.title = `${page.title} – Fieldroster API reference`;
    showPart(view, part);
  };
}

/** Returns the codes that every operation may answer. */
function sharedCodes(operations: readonly Operation[]): ReadonlySet<number> {
  const [first = new Set<number>(), ...rest] = operations.map(
    ({ codes }) => new Set(codes.map(({ code }) => code)),
  );
  return rest.reduce((shared, codes) => shared.intersection(codes), first);
}

/** Scrolls to a field or a code, and marks it. */
function showPart(view: HTMLElement, part: string): void {
  for (const marked of view.querySelectorAll('.sought')) marked.classList.remove('sought');
  if (part === '') return;
  const found = view.querySelector(`[id="code-${CSS.escape(part)}"], [data-field="${CSS.escape(part)}"]`);
  found?.classList.add('sought');
  found?.scrollIntoView({ block: 'center' });
}

function showProblem(text: string): void {
  main.replaceChildren(element('p', { class: 'problem', role: 'alert' }, text));
}

start().catch((error: unknown) => showProblem(`The reference cannot be shown. ${(error as Error).message}`));
