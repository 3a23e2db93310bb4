/** Set by a process that could not replace itself with this one and waits for it, such as the start file. */
export const handedOverVariable = 'FIELDROSTER_HANDED_OVER';

/**
 * Ends this process as soon as its parent is gone. Killing the start file is meant to end the command, and a
 * leftover server would keep its port.
 */
export function endWithWrapper(): void {
  const handedOver = process.env[handedOverVariable] !== undefined;
  delete process.env[handedOverVariable];
  if (!handedOver || !process.connected) return;
  process.on('disconnect', () => process.exit(1));
  // The open channel must not keep a finished command alive.
  process.channel?.unref();
}
