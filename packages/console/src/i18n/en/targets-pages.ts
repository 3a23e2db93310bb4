import { written } from '../written.ts';

export const targetsPages = {
  roles: {
    title: 'Roles',
    add: 'Add role',
    edit: 'Edit role',
    remove: 'Delete role',
    name: 'Name',
    code: 'Code',
    description: 'Description',
    users: 'Users',
    showUsers: 'Show users',
    empty: 'No roles yet',
    emptyHelp:
      'A role says what somebody does, such as sales representative. Add the first one, or import a file.',
    added: (name: string) => `${name} added`,
    saved: (name: string) => `${name} saved`,
    removed: (name: string) => `${name} deleted`,
  },
  stores: {
    title: 'Stores',
    add: 'Add store',
    edit: 'Edit store',
    remove: 'Delete store',
    name: 'Name',
    code: 'Code',
    address: 'Address',
    searchLabel: 'Search stores',
    search: 'Code, name or address…',
    unassigned: 'Without a representative',
    counted: (count: number, isMore: boolean) => {
      if (isMore) return `${written(count)}+ stores`;
      return count === 1 ? '1 store' : `${written(count)} stores`;
    },
    withoutUser: (count: number, isMore: boolean) =>
      `${written(count)}${isMore ? '+' : ''} without a representative`,
    allAssigned: 'Every store has a representative',
    allAssignedHelp: 'Stores without a representative appear here.',
    noneFound: 'No store matches',
    noneFoundHelp: 'Remove a filter, or search for part of a code, a name or an address.',
    whoLooksAfter: 'Representatives',
    history: 'History',
    showHistory: 'Changes of this store',
    representatives: 'Representatives',
    /** In place of the number 0. */
    nobodyCounted: 'nobody',
    nobody: 'This store has no representative.',
    assign: 'Assign representative',
    findUser: 'Name, phone or code of a user',
    alreadyLooksAfter: 'already looks after it',
    lookedAfterBefore: (user: string, store: string) => `${user} already looks after ${store}`,
    nowLooksAfter: (user: string, store: string) => `${user} now looks after ${store}`,
    noLongerLooksAfter: (user: string, store: string) => `${user} no longer looks after ${store}`,
    unknown: 'There is no such store',
    unknownHelp: 'It may have been deleted, or the address is wrong, or it belongs to another tenant.',
    empty: 'No stores yet',
    emptyHelp: 'Stores are what sales representatives look after. Add the first one, or import a file.',
    added: (name: string) => `${name} added`,
    saved: (name: string) => `${name} saved`,
    removed: (name: string) => `${name} deleted`,
  },
};
