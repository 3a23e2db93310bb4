/** Returns the label that a sealed TOTP secret is bound to, so that a row copied to another operator does not open. */
export function totpLabel(operatorId: bigint): string {
  return `operator ${operatorId} totp`;
}
