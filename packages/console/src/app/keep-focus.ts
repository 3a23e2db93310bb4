interface Step {
  readonly element: HTMLElement;
  /** Returns what may take its place once it is gone, the best first. */
  readonly replacements: () => readonly Element[];
}

/** An element that had the focus, followed by its ancestors, the nearest first. */
type Place = readonly Step[];

/** Layers that open over the page and close again. */
const layers = '[role="dialog"], [role="menu"], [role="alert"]';

/** The last place of the focus in the page and in each layer; the latest comes last. */
const places = new Map<Element, Place>();

/** A button that is disabled while it works. */
let awaited: HTMLElement | undefined;

/**
 * Keeps the keyboard where it was when what has the focus goes away: a dialog closes, an entry is deleted, a button is
 * disabled while it works. Browsers leave the focus to the whole page then, and the next press of Tab starts from its top.
 */
export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) note(target);
  });
  // Whatever replaces the element may take the focus itself, a moment later.
  const observer = new MutationObserver(() => setTimeout(follow));
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function note(element: HTMLElement): void {
  awaited = undefined;
  for (const layer of places.keys()) if (!layer.isConnected) places.delete(layer);
  const layer = element.closest(layers) ?? document.body;
  places.delete(layer);
  places.set(layer, placeOf(element));
}

function placeOf(element: HTMLElement): Place {
  const around = element.parentElement;
  const step = { element, replacements: element.matches('tr') ? replacementsOfRow(element) : () => [] };
  return around === null || around === document.body ? [step] : [step, ...placeOf(around)];
}

/**
 * The next row takes the place of one that is deleted, or the one before at the end of the table. A row that is only
 * scrolled out of view has none: its neighbours are about to go as well.
 */
function replacementsOfRow(row: HTMLElement): Step['replacements'] {
  const table = row.closest('table');
  const count = Number(table?.dataset.rows);
  const around = [row.nextElementSibling, row.previousElementSibling].filter((each) => each !== null);
  return () => (Number(table?.dataset.rows) < count ? around : []);
}

function follow(): void {
  const latest = [...places.values()].reverse();
  const last = latest[0]?.[0]?.element;
  if (last === undefined) return;
  const isDisabled = last.matches(':disabled');
  if (isDisabled) awaited = last;
  if (document.activeElement !== document.body) return;
  // After a click on the empty page, the element is still there, and the focus stays away from it.
  if (last.isConnected && (isDisabled || last !== awaited)) return;
  latest.flat().some(takesOver);
}

function takesOver({ element, replacements }: Step): boolean {
  return element.isConnected ? takesFocus(element) : replacements().some(takesFocus);
}

function takesFocus(element: Element): boolean {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
  return document.activeElement === element;
}
