/** Returns a column's name without case, spaces, hyphens and underscores: `User Name` and `user_name` name one field. */
export function normalizeColumnName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
