/** Returns the regular expression of a text, given the characters that each of its letters matches. */
export function searchExpression(letters: readonly (readonly string[])[]): string {
  return letters
    .map((variants) => (variants.length > 1 ? `[${variants.join('')}]` : literally(variants[0] ?? '')))
    .join('');
}

function literally(character: string): string {
  return /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character;
}
