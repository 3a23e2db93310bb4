/** How the chart draws a line. */
export interface LineStyle {
  /** A custom property of the theme. */
  readonly color: string;
  /** Lengths of dashes and gaps; absent for a solid line. */
  readonly dashes?: string;
}

export const successStyle: LineStyle = { color: 'var(--fr-accent)' };

export const restStyle: LineStyle = { color: 'var(--fr-quiet)' };

const others = ['info', 'warning', 'plum', 'cyan', 'rose', 'olive'];

/** The danger colour is for failures only, and the accent for success. */
const failureHues = ['danger', ...others];

/** After the last colour, the first one comes again with dashes. */
const dashes = [undefined, '6 3', '2 3'];

/**
 * Codes in the order in which they get a style. The order never changes: a code looks the same every day, whatever else
 * fails. Codes that are often seen together come first, so that their colours differ. New codes come last.
 */
export const codesInOrder: readonly number[] = [
  1014, 1101, 1001, 1013, 1012, 1015, 1429, 1500, 1503, 1401, 1102, 1002, 1003, 1016, 1011, 1103, 1004, 1017,
  1201, 1301, 1005, 1006, 1104, 1105, 1202, 1203, 1204, 1302, 1303, 1304, 1305, 1402, 1403, 1404,
];

/** Operations in the order in which they get a style, which never changes either. */
export const operationsInOrder: readonly string[] = [
  'query-user',
  'check-password',
  'batch-update-user-stores',
  'query-user-stores',
  'list-users',
  'update-user',
  'create-user',
  'query-user-role',
  'bind-user-store',
  'unbind-user-store',
  'batch-users',
  'list-stores',
  'list-store-users',
  'query-store',
  'bind-user-role',
  'bind-user-org',
  'delete-user',
  'set-user-status',
  'list-audit-events',
  'upsert-stores',
  'query-role',
  'query-org',
  'list-roles',
  'list-orgs',
  'unbind-user-role',
  'unbind-user-org',
  'create-store',
  'update-store',
  'delete-store',
  'create-role',
  'update-role',
  'delete-role',
  'create-org',
  'update-org',
  'delete-org',
];

export function styleOfCode(code: number): LineStyle {
  return code === 0 ? successStyle : styleAt(codesInOrder.indexOf(code), failureHues);
}

export function styleOfOperation(operation: string): LineStyle {
  return styleAt(operationsInOrder.indexOf(operation), others);
}

/** Codes and operations that are not listed look like the line for all others. */
function styleAt(index: number, hues: readonly string[]): LineStyle {
  if (index === -1) return restStyle;
  const dash = dashes[Math.floor(index / hues.length) % dashes.length];
  const color = `var(--fr-${hues[index % hues.length]})`;
  return dash === undefined ? { color } : { color, dashes: dash };
}
