/**
 * What a spreadsheet takes for a formula, with any number of guards before it. A sign begins one, but for a number
 * or a phone number. Guarded texts are among them, so that each is guarded once more and comes back as it was.
 */
const formula = /^'*(?:[=@\t\r]|[+-](?![\d ().-]*$))/;

/** Puts a `'` before a text that a spreadsheet would run as a formula. */
export function guardFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Takes the guard off again: `unguardFormula(guardFormula(text)) === text` for every text. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}
