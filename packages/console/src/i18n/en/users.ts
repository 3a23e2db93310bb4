import { written } from '../written.ts';
import { userFields } from './user-fields.ts';

const losing = (stores?: number) => {
  if (stores === undefined) return 'every store of this user loses';
  return stores === 1 ? '1 store loses' : `${written(stores)} stores lose`;
};

export const users = {
  viewer: 'You can view users, but only a manager can change them.',
  title: 'Users',
  add: 'Add user',
  search: 'Name, phone, code…',
  searchLabel: 'Search users',
  role: 'Role',
  org: 'Organization',
  store: 'Store',
  stores: 'Stores',
  fields: userFields,
  genders: { none: 'Not given', male: 'Male', female: 'Female' },
  missing: 'Missing',
  missingOf: { role: 'No role', org: 'No organization', store: 'No store' },
  empty: 'No users yet',
  emptyHelp: 'Add the first one here, or import a file.',
  noneFound: 'No user matches',
  noneFoundHelp: 'Remove a filter, or search for part of a name, a phone number or a code.',
  counted: (count: number, isMore: boolean) => {
    if (isMore) return `${written(count)}+ users`;
    return count === 1 ? '1 user' : `${written(count)} users`;
  },
  withoutStore: (count: number, isMore: boolean) => `${written(count)}${isMore ? '+' : ''} without a store`,
  changedSince: (time: string) => `Changed since ${time}`,
  removeFilter: (filter: string) => `${filter}: remove this filter`,
  clearFilters: 'Clear filters',
  columns: 'Columns',
  profile: 'Profile',
  history: 'History',
  noHistory: 'Nothing has changed yet.',
  deleted: 'This user was deleted',
  deletedHelp: 'The profile and the assignments are gone. The audit trail keeps what happened before.',
  unknown: 'There is no such user',
  unknownHelp: 'The address may be wrong, or it belongs to another tenant.',
  noStores: 'No stores.',
  bindStore: 'Assign store',
  unbindStore: (code: string) => `Unassign ${code}`,
  storeBound: (code: string) => `${code} assigned`,
  storeBoundBefore: (code: string) => `${code} is already assigned`,
  storeUnbound: (code: string) => `${code} unassigned`,
  disableUser: 'Disable user',
  enable: 'Make user active',
  nowDisabled: (name: string) => `${name} is disabled`,
  nowActive: (name: string) => `${name} is active`,
  setPassword: 'Set password',
  setPasswordHelp: (name: string) =>
    `Any earlier password of ${name} stops working at once. Nobody can look up the new one later. After ten wrong passwords, the user still waits up to a minute.`,
  newPassword: 'New password',
  passwordSet: (name: string) => `New password of ${name} set`,
  cannotSignIn: (name: string) => `${name} cannot sign in`,
  cannotSignInHelp: 'The password check refuses disabled users, even with the right password.',
  /** The actor and the time may be parts of a page. */
  disabledBy: <Part>(actor: Part, time: Part): readonly (Part | string)[] => [
    'Disabled by ',
    actor,
    ', ',
    time,
    '.',
  ],
  signInTrouble:
    'A user cannot sign in while disabled, with a wrong password or without one, and for up to a minute after ten wrong passwords.',
  failedPasswordChecks: 'Failed password checks of all users',
  signIn: 'Sign-in',
  contact: 'Contact',
  moreFields: 'More fields',
  remove: 'Delete user',
  /** `stores` is not known while the page still asks for it, nor after it asked in vain. */
  removeHelp: (name: string, stores?: number) => {
    const lost = stores === 0 ? '' : `; ${losing(stores)} this representative`;
    return `Deleting ${name} removes the profile and every assignment${lost}. The ID is never used again. This cannot be undone.`;
  },
  removed: (name: string) => `${name} deleted`,
  created: (name: string) => `${name} added`,
  saved: 'Saved',
  initialPassword: 'Password',
  placementHelp: 'A change of role or organization takes effect at once.',
  roleChanged: 'Role changed',
  orgChanged: 'Organization changed',
  noRole: 'No role',
  noOrg: 'No organization',
  conflict: 'Somebody else has changed this user in the meantime',
  conflictHelp: 'Both versions are below. Choose which one to keep.',
  yours: 'Yours',
  theirs: 'Theirs',
  keepMine: 'Keep mine',
  takeTheirs: 'Take theirs',
  findStore: 'Code, name or address of a store',
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all that are loaded',
  export: 'Export',
  exportAction: 'Export users',
  exportAll: 'Exports all users.',
  exportFiltered: 'Exports all users that match the filters.',
  exportFormat: 'Format',
  exportCsv: 'CSV, for any number of users',
  exportXlsx: 'Excel workbook',
  tooManyForFile: (max: number) =>
    `An Excel workbook holds ${written(max)} users at most. Choose CSV, or filter the list.`,
  exporting: (count: number) => (count === 1 ? '1 user read' : `${written(count)} users read`),
  exported: (count: number) => (count === 1 ? '1 user exported' : `${written(count)} users exported`),
};
