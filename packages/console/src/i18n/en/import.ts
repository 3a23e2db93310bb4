import type { ColumnField } from '@fieldroster/tables';
import { written } from '../written.ts';
import { userFields } from './user-fields.ts';

export const importTexts = {
  titles: {
    users: 'Import users',
    stores: 'Import stores',
    orgs: 'Import organizations',
    roles: 'Import roles',
  },
  kinds: { users: 'Users', stores: 'Stores', orgs: 'Organizations', roles: 'Roles' },
  holds: 'What the file contains',
  keys: { users: 'Username', stores: 'Code', orgs: 'ID', roles: 'ID or name' },
  noKey: { users: 'No username', stores: 'No code', orgs: 'No ID', roles: 'No name' },
  open: 'Import',
  steps: { file: 'File', columns: 'Columns', preview: 'Preview', done: 'Result' },
  drop: 'Drop a CSV file or a workbook here',
  chooseKind: 'Choose a CSV file or a workbook',
  dropHelp: {
    users:
      'One row for each user; the first row names the columns. Roles and organizations may be given by name or by ID. Nothing changes until you have seen the preview.',
    stores:
      'One row for each store, with its code and name; the first row names the columns. Nothing changes until you have seen the preview.',
    orgs: 'One row for each organization, with its ID, its name and the ID of its parent; the first row names the columns. Nothing changes until you have seen the preview.',
    roles:
      'One row for each role; one without an ID is new. The first row names the columns. Nothing changes until you have seen the preview.',
  },
  choose: 'Choose file',
  template: 'Download template',
  encoding: 'Encoding of the file',
  encodingHelp: 'If names look wrong or the file cannot be read, choose how it was saved.',
  column: 'Column',
  sample: 'First values',
  meaning: 'Becomes',
  leaveOut: 'Leave out',
  fields: {
    users: {
      username: 'Username',
      ...userFields,
      password: 'Password',
      password_hash: 'Password hash',
      role_id: 'Role (name or ID)',
      org_id: 'Organization (name or ID)',
      store_codes: 'Stores (codes, separated by ;)',
      role_name: 'Role name, if no ID',
      org_name: 'Organization name, if no ID',
    } satisfies Record<ColumnField, string>,
    stores: { code: 'Code', name: 'Name', address: 'Address' },
    orgs: { id: 'ID', name: 'Name', parent_id: 'Parent (ID)' },
    roles: {
      id: 'ID',
      name: 'Name',
      code: 'Code',
      description: 'Description',
      system_id: 'System (ID)',
      order: 'Position',
    },
  },
  missing: {
    users:
      'Choose the column with the username. The username decides whether a row is a new user or an existing one.',
    stores: 'Choose the columns with the code and the name. The code decides whether a row is a new store.',
    orgs: 'Choose the columns with the ID and the name. The ID decides whether a row is a new organization.',
    roles: 'Choose the column with the name.',
  },
  /** Where to look up the right ID. */
  whereIds: {
    roles: 'Each role’s ID is on the page “Roles”.',
    orgs: 'Each organization’s ID is on the page “Organizations”.',
  },
  separateStores: 'If these are several codes, separate them with “;”.',
  advised: (wrong: string, advice: string) => `${wrong}. ${advice}`,
  rows: (count: number) => (count === 1 ? '1 row' : `${written(count)} rows`),
  ofFirstSheet: (rows: string) => `${rows} in the first sheet`,
  hiddenRows: (sheet: string, rows: number) =>
    rows === 1
      ? `1 row is hidden in the sheet “${sheet}”. It is imported too, unless you delete it from the file.`
      : `${written(rows)} rows are hidden in the sheet “${sheet}”. They are imported too, unless you delete them from the file.`,
  hiddenSheet: (sheet: string, rows: number) =>
    `The first sheet, “${sheet}”, is hidden in the workbook. ${rows === 1 ? 'Its row is' : `Its ${written(rows)} rows are`} imported; other sheets are not.`,
  unnamed: (count: number) =>
    count === 1
      ? '1 column has no name in the first row and is left out.'
      : `${written(count)} columns have no name in the first row and are left out.`,
  showPreview: 'Show what would change',
  back: 'Back',
  discard: 'Choose another file',
  again: 'Import another file',
  /** Before the first row. */
  reading: 'Reading the file and the directory',
  previewing: (done: number, all: number) => `Comparing ${ofRows(done, all)}`,
  apply: {
    users: (count: number) => (count === 1 ? 'Import 1 user' : `Import ${written(count)} users`),
    stores: (count: number) => (count === 1 ? 'Import 1 store' : `Import ${written(count)} stores`),
    orgs: (count: number) =>
      count === 1 ? 'Import 1 organization' : `Import ${written(count)} organizations`,
    roles: (count: number) => (count === 1 ? 'Import 1 role' : `Import ${written(count)} roles`),
  },
  /** In place of `apply`, for an import that has begun and has nothing left to write. */
  finish: 'Finish',
  nothingToApply: 'The directory already matches the file. There is nothing to import.',
  /** In place of the line above, if there are invalid rows. */
  nothingChanges: 'No row would change anything.',
  wrongStay: (count: number) =>
    count === 1 ? '1 invalid row will be skipped.' : `${written(count)} invalid rows will be skipped.`,
  /** Of stores. */
  variants: (count: number) =>
    count === 1
      ? '1 new code differs from another one only in case'
      : `${written(count)} new codes differ from others only in case`,
  betweenVariants: '; ',
  variantsHelp: (all: number, others: number) =>
    `${others === 0 ? '' : `; and ${written(others)} more`}. ${all === 1 ? 'It' : 'Each'} will be imported as a separate store. If a code was mistyped, correct it in the file.`,
  variantOf: (code: string, otherLine?: number) =>
    otherLine === undefined
      ? `Differs from the existing ${code} only in case`
      : `Differs from ${code} (line ${written(otherLine)}) only in case`,
  /** The codes may be parts of a page. */
  variantAt: <Code>(code: Code, line: number, other: Code, otherLine?: number): readonly (Code | string)[] =>
    otherLine === undefined
      ? [code, ` (line ${written(line)}) differs from the existing `, other, ' only in case']
      : [code, ` (line ${written(line)}) differs from `, other, ` (line ${written(otherLine)}) only in case`],
  running: (done: number, all: number) => `Importing: ${ofRows(done, all)}`,
  runningHelp:
    'You may reload this page: the import continues. If you come back after more than ten minutes, the import waits for you to continue it. No row is imported twice.',
  elsewhere: 'The import runs in another tab.',
  otherShown: (fileName: string) =>
    `${fileName} was not opened, because another tab has begun an import. It is shown here.`,
  stopped: (file: string, done: number, all: number) =>
    `An import of ${file} stopped at ${ofRows(done, all)}`,
  lastProgress: (time: string) => `Last progress: ${time}`,
  stoppedHelp:
    'Others may have changed the directory since. Continue compares the remaining rows again, and shows what would change before it imports anything. The rows already imported stay.',
  resume: 'Continue',
  discardImport: 'Discard import',
  discarding: {
    title: 'Discard this import?',
    help: (left: number) =>
      `${left === 1 ? '1 row is' : `${written(left)} rows are`} left to import. Rows already imported stay, but their result can no longer be downloaded.`,
    keep: 'Keep import',
  },
  /** Above a preview. */
  unsure:
    'The last rows sent may or may not have been imported; the audit may no longer go back far enough to tell. Check them below before you import again. A role without an ID may already exist.',
  done: 'The import is complete',
  /** In place of the line above, if rows were not imported. */
  someFailed: (imported: string, failed: number) =>
    `${imported}; ${failed === 1 ? '1 row was skipped' : `${written(failed)} rows were skipped`}`,
  imported: {
    users: (count: number) => (count === 1 ? '1 user imported' : `${written(count)} users imported`),
    stores: (count: number) => (count === 1 ? '1 store imported' : `${written(count)} stores imported`),
    orgs: (count: number) =>
      count === 1 ? '1 organization imported' : `${written(count)} organizations imported`,
    roles: (count: number) => (count === 1 ? '1 role imported' : `${written(count)} roles imported`),
  },
  download: 'Download result',
  showChangedUsers: 'Show changed users',
  showAll: {
    users: 'Show all users',
    stores: 'Show all stores',
    orgs: 'Show all organizations',
    roles: 'Show all roles',
  },
  openUser: 'Open user',
  openStore: 'Open store',
  all: 'All',
  outcome: 'Outcome',
  outcomes: {
    created: 'New',
    updated: 'Changed',
    unchanged: 'Unchanged',
    applied: 'Done',
    failed: 'Invalid',
  },
  /** After the import, in place of the last outcome. */
  notImported: 'Not imported',
  line: 'Line',
  /** Before the import. */
  changes: 'What changes',
  changed: 'What changed, or why not',
  noRows: 'No row of this kind',
  noRowsHelp: 'Choose another outcome above.',
  detailsOf: (key: string, line: number) => `${key} · line ${line}`,
  named: (field: string) => `${field}: `,
  /** A role or an organization. */
  target: (name: string, id: string) => `${name} (${id})`,
  newPassword: 'a new password',
  viewer: 'Only a manager can import',
  viewerHelp: 'You can view the directory, and export users to a file.',
};

function ofRows(done: number, all: number): string {
  return `${written(done)} of ${written(all)} ${all === 1 ? 'row' : 'rows'}`;
}
