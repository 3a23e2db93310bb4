import { answerProfileQuestion } from './profiler.ts';

/** What a parent asks of the program it started. */
export type Question =
  | { readonly ask: 'measure'; readonly seconds: number }
  | { readonly ask: 'start-profile' }
  | { readonly ask: 'write-profile'; readonly file: string };

/**
 * The side of a child process: it tells its parent that it is ready, answers what it is asked, and ends
 * with its parent, however that one ends.
 *
 * @param measure works for so many seconds and returns the sample; absent in servers, which others measure
 */
export function serveParent(ready: unknown, measure?: (seconds: number) => Promise<unknown>): void {
  process.on('message', (question: Question) => {
    const answer = question.ask === 'measure' ? measure?.(question.seconds) : answerProfileQuestion(question);
    Promise.resolve(answer).then(
      (value) => process.send?.({ value: value ?? null }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ value: ready ?? null });
}
