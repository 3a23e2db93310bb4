/** Stands for the message of a call that an erasure has blanked. */
export const erasedTexts = '(removed by an erasure of a person)';

/** Returns whether an erasure has removed the texts of a failed call: every other has a target. */
export function hasNoTexts({ target }: { readonly target: string }): boolean {
  return target === '';
}
