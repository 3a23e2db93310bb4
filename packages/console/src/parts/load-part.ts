import { exchange, UnreachableError } from '../api/exchange.ts';

const tryAgainMs = 2_000;

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
      await loadMissingStyles();
      return part;
    } catch (error) {
      if (isAnswering) throw error;
    }
    isAnswering = await serverAnswers();
    if (!isAnswering) await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
  }
}

/**
 * Loads the styles again whose loading has failed. Vite asks for the styles of a part once, and on a second attempt takes
 * them for loaded.
 */
async function loadMissingStyles(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
  const missing = [...links].filter(({ sheet }) => sheet === null);
  await Promise.all(
    missing.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement;
          again.onload = resolve;
          again.onerror = () => reject(new Error(`${link.href} cannot be loaded`));
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
