/**
 * Writes text as a literal of a language, one literal for each line of the text.
 *
 * @param quote writes a single line, which ends with a line feed or the end of the text
 * @param join joins the literals
 */
export function literalLines(text: string, quote: (line: string) => string, join: string): string {
  const lines = text.split(/(?<=\n)/);
  return (lines.length === 0 ? [''] : lines).map(quote).join(join);
}

/** Writes a literal that Python, Go, C# and JSON read alike. */
export function jsonLiteral(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\uFEFF', '\\ufeff');
}

/** Writes a JSON literal in ASCII: a compiler may read the file in a charset other than UTF-8. */
export function asciiLiteral(text: string): string {
  return jsonLiteral(text).replaceAll(
    /[^\0-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Writes a literal for a POSIX shell. */
export function shellLiteral(text: string): string {
  return `'${text.toWellFormed().replaceAll("'", "'\\''")}'`;
}

/** Writes a double-quoted PHP literal, in which `$` starts a variable unless it is escaped. */
export function phpLiteral(text: string): string {
  const escaped = text
    .toWellFormed()
    .replaceAll(/[\\"$]/g, (character) => `\\${character}`)
    .replaceAll('\n', '\\n')
    .replaceAll(/\p{Cc}/gu, (control) => `\\u{${control.charCodeAt(0).toString(16)}}`);
  return `"${escaped}"`;
}

/** Writes a double-quoted Ruby literal, in which `#` may start an interpolation unless it is escaped. */
export function rubyLiteral(text: string): string {
  return jsonLiteral(text).replaceAll('#', '\\#');
}
