/** Runs something in the zone of another reader. It must be synchronous, because other test files share the process. */
export function inTimeZone<T>(zone: string, run: () => T): T {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    return run();
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
}
