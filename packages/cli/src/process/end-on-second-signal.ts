/** Several programs may pass on the same Ctrl+C; a person takes longer to press it again. */
const sameSignalMs = 300;

/**
 * Returns a handler of signals that ask the process to end.
 * The first signal begins an orderly end. A second one ends the process at once, with the exit code for that signal.
 */
export function endOnSecondSignal(
  onFirst: (signal: NodeJS.Signals) => void,
  exitCodeOf: (signal: NodeJS.Signals) => number,
): (signal: NodeJS.Signals) => void {
  let firstAtMs: number | undefined;
  return (signal) => {
    if (firstAtMs === undefined) {
      firstAtMs = performance.now();
      onFirst(signal);
    } else if (performance.now() - firstAtMs > sameSignalMs) {
      process.exit(exitCodeOf(signal));
    }
  };
}
