import { written } from '../written.ts';

const users = (count: number) => (count === 1 ? '1 user' : `${written(count)} users`);

export const bulk = {
  label: 'Selected users',
  selected: (count: number) => `${written(count)} selected`,
  tooMany: (count: number, max: number) =>
    `${written(count)} selected; at most ${written(max)} can be changed in one step`,
  clear: 'Clear',
  change: 'Change',
  actions: {
    role: 'Set role…',
    org: 'Set organization…',
    addStore: 'Assign store…',
    removeStore: 'Unassign store…',
    disable: 'Disable…',
    enable: 'Make active…',
  },
  titles: {
    role: (count: number) => `Set the role of ${users(count)}`,
    org: (count: number) => `Set the organization of ${users(count)}`,
    addStore: (count: number) => `Assign a store to ${users(count)}`,
    removeStore: (count: number) => `Unassign a store from ${users(count)}`,
    disable: (count: number) => `Disable ${users(count)}`,
    enable: (count: number) => `Make ${users(count)} active`,
  },
  preview: 'What changes',
  unchanged: 'Stays as it is',
  summary: (changed: number, all: number) =>
    changed === all ? `${users(changed)} will change` : `${written(changed)} of ${users(all)} will change`,
  done: {
    role: (count: number) => `Role set for ${users(count)}`,
    org: (count: number) => `Organization set for ${users(count)}`,
    addStore: (count: number) => `Store assigned to ${users(count)}`,
    removeStore: (count: number) => `Store unassigned from ${users(count)}`,
    disable: (count: number) => `${users(count)} disabled`,
    enable: (count: number) => `${users(count)} made active`,
  },
  undone: (count: number) => `${users(count)} changed back`,
  findStore: 'Code, name or address',
  noStore: 'No store matches',
};
