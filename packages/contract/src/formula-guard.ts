/**
 * Matches the guards before what a spreadsheet takes for a formula: at the start of a string, and after a semicolon, a tab
 * or a line break, where a cell begins for a spreadsheet that separates cells by semicolons or tabs and therefore misreads
 * our quotes. A sign begins a formula unless a number or a phone number follows.
 */
const guards =
  /(?<=^|[;\t\r\n])'*(?=[=＝@＠]|[+＋－-](?![\d ().-]*(?:$|[;\t\r\n])))|(?<=^|[;\r\n])'*(?=[\t\r])/g;

/** Writes `'` wherever a spreadsheet would run a formula. Guards one more time what looks guarded already. */
export function guardFormula(text: string): string {
  return text.replace(guards, "'$&");
}

/** Removes the guards: `unguardFormula(guardFormula(text)) === text` for every text. */
export function unguardFormula(text: string): string {
  return text.replace(guards, (found) => found.slice(1));
}

const formulaError =
  /^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|GETTING_DATA)$/;

/** Returns whether a string is what a spreadsheet shows, and saves as CSV, where it could not compute a formula. */
export function isFormulaError(text: string): boolean {
  return formulaError.test(text);
}
