/**
 * Matches what a spreadsheet takes for a formula, after any number of guards. A sign begins a formula unless a
 * number or a phone number follows. Guarded strings match too, so that they are guarded once more and survive the
 * round trip.
 */
const formula = /^'*(?:[=＝@＠\t\r]|[+＋－-](?![\d ().-]*$))/;

/** Prefixes a string with `'` if a spreadsheet would run it as a formula. */
export function guardFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Removes the guard: `unguardFormula(guardFormula(text)) === text` for every text. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}

const formulaError =
  /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|GETTING_DATA)$/;

/** Returns whether a string is what a spreadsheet shows, and saves as CSV, where it could not compute a formula. */
export function isFormulaError(text: string): boolean {
  return formulaError.test(text);
}
