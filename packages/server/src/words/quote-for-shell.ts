/** Characters that mean themselves to a POSIX shell. */
const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:[]-';

/** Quotes a word for a POSIX shell, unless it needs no quotes. */
export function quoteForShell(word: string): string {
  const isPlain = word !== '' && [...word].every((character) => plain.includes(character));
  return isPlain ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
