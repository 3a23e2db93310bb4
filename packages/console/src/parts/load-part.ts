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
      return await load();
    } catch (error) {
      if (isAnswering) throw error;
    }
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
