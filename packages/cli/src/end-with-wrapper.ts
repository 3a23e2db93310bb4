/** Set by the start file when it could not become this process and waits for it instead. */
const variable = 'FIELDROSTER_HANDED_OVER';

/**
 * Ends this process as soon as the one that started it is gone. Whoever kills the process that they started
 * means the command, and a server left behind would keep its port.
 */
export function endWithWrapper(): void {
  const handedOver = process.env[variable] !== undefined;
  delete process.env[variable];
  if (!handedOver || !process.connected) return;
  process.on('disconnect', () => process.exit(1));
  // Without this, the channel would keep a command that has nothing left to do from ending.
  process.channel?.unref();
}
