import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** A parent's question to a program that it started. */
export type Question =
  | { readonly ask: 'measure'; readonly seconds: number }
  | { readonly ask: 'start-profile' }
  | { readonly ask: 'write-profile'; readonly file: string };

/**
 * The child's side of a `Child`: reports that it is ready, answers questions, and ends with its parent.
 *
 * @param measure works for that many seconds and returns the sample; undefined in servers, which others measure
 */
export function serveParent(ready: unknown, measure?: (seconds: number) => Promise<unknown>): void {
  process.on('message', (question: Question) => {
    const answer = question.ask === 'measure' ? measure?.(question.seconds) : profile(question);
    Promise.resolve(answer).then(
      (value) => process.send?.({ value: value ?? null }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ value: ready ?? null });
}

const session = new Session();

async function profile(question: Question): Promise<void> {
  if (question.ask === 'start-profile') {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  } else if (question.ask === 'write-profile') {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(question.file, JSON.stringify(profile));
  }
}
