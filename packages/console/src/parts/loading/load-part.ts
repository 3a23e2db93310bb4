import { exchange, UnreachableError } from '../../api/exchange.ts';

const tryAgainMs = 2_000;

// Vite takes styles for loaded while their element is in the document. Without the element, it asks for them again, so
// that the parts that need them fail with them, and no others. The error of an element does not bubble up to the window,
// which captures it on its way down.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove();
  },
  true,
);

/**
 * Loads a part of the console with its styles. While the server does not answer, it waits, because a failure would
 * replace the page and everything typed on it.
 *
 * @throws what the browser or Vite says, if the server answers but does not have the part or its styles
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let isAnswering = false; ; ) {
    try {
      return await load();
    } catch (error) {
      if (isAnswering) throw error;
    }
    isAnswering = await serverAnswers();
    if (!isAnswering) await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
  }
}

/** Scripts are missing in the words of Chromium, Firefox and Safari, styles in those of Vite. */
export function isMissingPart(error: unknown): boolean {
  return /dynamically imported module|Importing a module script failed|Unable to preload CSS/.test(
    String(error),
  );
}

/** A refusal is an answer too. */
async function serverAnswers(): Promise<boolean> {
  try {
    await exchange({ method: 'GET', url: '/console/api/session' });
    return true;
  } catch (error) {
    return !(error instanceof UnreachableError);
  }
}
