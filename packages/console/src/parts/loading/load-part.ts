import { exchange, UnreachableError } from '../../api/exchange.ts';
import { failedStyles, loadStylesAgain } from './failed-styles.ts';

const tryAgainMs = 2_000;

/**
 * Loads a part of the console with its styles. While the server does not answer, it waits, because a failure would
 * replace the page and everything typed on it.
 *
 * @throws what the browser says, if the server answers but does not have the part
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  // Styles that failed before may belong to this part too, and Vite does not say. So a part that loads later fails with
  // them. Those that go missing while it loads belong to another part, unless this one fails as well.
  let missing = failedStyles();
  for (let isAnswering = false; ; ) {
    try {
      const part = await load();
      await loadStylesAgain(missing);
      return part;
    } catch (error) {
      if (isAnswering) throw error;
    }
    missing = failedStyles();
    isAnswering = await serverAnswers();
    if (!isAnswering) await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
  }
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
