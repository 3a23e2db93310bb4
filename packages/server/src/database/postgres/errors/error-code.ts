/** Returns the code that the database, the driver or the system gave an error; '' without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
