import { written } from '../written.ts';

export const moveStores = {
  title: 'Move stores',
  open: 'Move stores…',
  from: 'From',
  to: 'To',
  clear: 'Clear',
  filter: 'Name, code or address',
  all: (count: number) => (count === 1 ? 'Select the store' : `Select all ${written(count)} stores`),
  pickFrom: 'Choose the representative whose stores move.',
  pickTo: 'Choose the colleague who takes them over.',
  arrives: 'New',
  chooseStore: 'Choose at least one store.',
  nothingToMove: 'There is no store to move.',
  cannot: (name: string, reason: string) => `${name}: ${reason}`,
  gives: 'gives the stores away',
  takes: 'takes the stores over',
  disabled: 'is disabled',
  preview: (count: number, from: string, to: string, shared: number) => {
    const moves = count === 1 ? '1 store moves' : `${written(count)} stores move`;
    const already = shared === 0 ? '' : `; ${written(shared)} ${shared === 1 ? 'is' : 'are'} already ${to}’s`;
    return `${moves} from ${from} to ${to}${already}.`;
  },
  move: (count: number) => {
    if (count === 0) return 'Move stores';
    return count === 1 ? 'Move 1 store' : `Move ${written(count)} stores`;
  },
  moved: (count: number, from: string, to: string) =>
    `${count === 1 ? '1 store' : `${written(count)} stores`} moved from ${from} to ${to}`,
  undone: (count: number, from: string) =>
    `${count === 1 ? '1 store is' : `${written(count)} stores are`} back with ${from}`,
  viewer: 'You can view stores, but only a manager can move them.',
};
