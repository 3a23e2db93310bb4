/**
 * Returns a column's name without case, spaces, hyphens, underscores and parentheses: `User Name` and `user_name` name
 * one field, and so do `Role (id)`, as the console calls it, and `role_id`.
 */
export function normalizeColumnName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[\s_()（）-]/g, '')
    .replace('organisation', 'organization');
}
