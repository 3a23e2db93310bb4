/**
 * Starts parts one after another. If one fails, those that have started are ended, and its error is the one to report,
 * even if one of them cannot be ended.
 *
 * @param start adds to the list how each part ends; what was added last ends first
 */
export async function endIfStartFails<T>(start: (started: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const started = new AsyncDisposableStack();
  try {
    return await start(started);
  } catch (error) {
    await started.disposeAsync().catch(() => {});
    throw error;
  }
}
