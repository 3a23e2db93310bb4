/**
 * The child's side of a `Child`: reports that it is ready, answers each number of seconds with a sample, and ends with
 * its parent.
 *
 * @param measure works for that many seconds; undefined in servers, which others measure
 */
export function serveParent(ready: unknown, measure?: (seconds: number) => Promise<unknown>): void {
  process.on('message', (seconds: number) => {
    measure?.(seconds).then(
      (value) => process.send?.({ value }),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ value: ready ?? null });
}
