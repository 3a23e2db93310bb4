/** Writes out invisible characters and trailing spaces, so that no text hides a difference or moves the cursor. */
export function showInvisible(line: string): string {
  const escaped = line.replaceAll(
    /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Cs}\u2800]/gu,
    (character) => escapes[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  const end = escaped.trimEnd().length;
  return escaped.slice(0, end) + escaped.slice(end).replaceAll(' ', '␠');
}

const escapes: Readonly<Record<string, string>> = { '\r': '\\r', '\t': '\\t', '\0': '\\0' };
