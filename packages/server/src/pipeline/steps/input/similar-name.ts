/**
 * Returns the given name that differs from another one only in case, "_" and "-", if there is one. Serializers write
 * the names of their own language: `userId`, `UserId`, `user-id`.
 */
export function similarName(name: string, given: Iterable<string>): string | undefined {
  const letters = lettersOf(name);
  for (const other of given) if (other !== name && lettersOf(other) === letters) return other;
  return undefined;
}

/** Longer than the name of any field; a caller may send thousands of names of a few kilobytes. */
const charactersMax = 64;

function lettersOf(name: string): string | undefined {
  return name.length > charactersMax ? undefined : name.replaceAll(/[_-]/g, '').toLowerCase();
}
