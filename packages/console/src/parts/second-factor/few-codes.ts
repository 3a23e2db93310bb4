/** From this many recovery codes on, the page asks for new ones. */
const fewCodes = 2;

/** Returns whether an operator with a second factor should make new recovery codes. */
export function hasFewCodes({ recovery_codes_left }: { readonly recovery_codes_left: number }): boolean {
  return recovery_codes_left <= fewCodes;
}
