import { exchange, UnreachableError } from '../../api/exchange.ts';

const tryAgainMs = 2_000;

/** The server answers but does not have the styles of a part, which a newer release may have replaced. */
export class MissingStylesError extends Error {}

/**
 * Loads a part of the console. While the server does not answer, it waits: a failure would take the place of the page
 * and of what is typed there.
 *
 * @throws what the browser says, if the server answers but does not have the part
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let isAnswering = false; ; ) {
    try {
      const part = await load();
      await loadFailedStyles();
      return part;
    } catch (error) {
      if (isAnswering) throw error;
    }
    isAnswering = await serverAnswers();
    if (!isAnswering) await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
  }
}

const failedStyles = new Set<HTMLLinkElement>();

// The error of an element does not bubble up to the window, which captures it on its way down.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target);
  },
  true,
);

/**
 * Loads the styles again whose loading has failed. Vite asks for the styles of a part once, and on a second attempt takes
 * them for loaded.
 */
async function loadFailedStyles(): Promise<void> {
  const failed = [...failedStyles];
  failedStyles.clear();
  await Promise.all(
    failed.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement;
          again.onload = resolve;
          again.onerror = () => reject(new MissingStylesError(`Failed to load ${link.href}`));
          link.replaceWith(again);
        }),
    ),
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
