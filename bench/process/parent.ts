/**
 * The side of a program that `startProgram` or `startServer` started: reports that it is ready, answers each number of
 * seconds with a sample, and ends with its parent. An error ends it with a message on the parent's standard error.
 *
 * @param ready the URL of a server
 * @param measure works for that many seconds; undefined in servers, which others measure
 */
export function serveParent(ready?: string, measure?: (seconds: number) => Promise<unknown>): void {
  process.on('message', async (seconds: number) => process.send?.(await measure?.(seconds)));
  process.on('disconnect', () => process.exit());
  process.send?.(ready ?? null);
}
