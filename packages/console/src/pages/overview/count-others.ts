interface Entry {
  readonly app_id: string;
}

/** Counts the failures other than the worst: other codes of the same application, and other applications. */
export function countOthers({ app_id }: Entry, failing: readonly Entry[]) {
  const others = failing.filter((entry) => entry.app_id !== app_id);
  return {
    codes: failing.length - others.length - 1,
    applications: new Set(others.map((entry) => entry.app_id)).size,
  };
}
