/**
 * Returns the processor time of the event loop's thread, in milliseconds. Elapsed time would include waiting for a core
 * on a busy machine.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
