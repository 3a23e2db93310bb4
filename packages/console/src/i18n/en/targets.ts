import { written } from '../written.ts';

const people = (count: number, isMore: boolean) => {
  if (isMore) return `more than ${written(count)} people`;
  return count === 1 ? '1 person' : `${written(count)} people`;
};

const assigned = (count: number, isMore: boolean) => {
  if (count === 0) return 'Users are';
  if (isMore) return `More than ${written(count)} users are`;
  return count === 1 ? '1 user is' : `${written(count)} users are`;
};

export const targets = {
  /** `count` is not known while the page still asks for it. */
  removeHelp: (name: string, count?: number, isMore = false) => {
    if (count === undefined) return `Deleting ${name} cannot be undone.`;
    if (count === 0) return `Nobody is assigned to ${name}. Deleting it cannot be undone.`;
    return `Deleting ${name} unassigns ${people(count, isMore)}. This cannot be undone.`;
  },
  force: 'Unassign and delete',
  forceHelp: (name: string, count = 0, isMore = false) =>
    `Nothing was deleted. ${assigned(count, isMore)} assigned to ${name}. To unassign it from them and delete it, type ${name} again. This cannot be undone.`,
  blocked: (name: string, below: number) =>
    `${name} has ${below === 1 ? '1 organization' : `${written(below)} organizations`} below it. Move or delete ${below === 1 ? 'that one' : 'those'} first.`,
};
