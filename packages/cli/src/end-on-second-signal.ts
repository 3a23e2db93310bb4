/** Several programs may pass on the same Ctrl+C; a person takes longer to press it again. */
const sameSignalMs = 300;

/**
 * Returns a handler of signals that ask the process to end.
 * The first signal begins an orderly end; a second one ends the process at once, with the exit code.
 */
export function endOnSecondSignal(onFirst: () => void, exitCode: number): () => void {
  let firstAtMs: number | undefined;
  return () => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now();
      onFirst();
    } else if (performance.now() - firstAtMs > sameSignalMs) {
      process.exit(exitCode);
    }
  };
}
