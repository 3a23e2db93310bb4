import { written } from '../written.ts';

const users = (count: number, isMore: boolean, verb: readonly [one: string, several: string]) => {
  if (isMore) return `More than ${written(count)} users ${verb[1]}`;
  return count === 1 ? `1 user ${verb[0]}` : `${written(count)} users ${verb[1]}`;
};

export const targets = {
  removeHelp: (name: string) => `Deleting ${name} cannot be undone.`,
  /** `count` is not known while the page still asks for it. */
  assigned: (name: string, count?: number, isMore = false) => {
    if (count === undefined) return '';
    if (count === 0 && !isMore) return `No user is assigned to ${name}.`;
    return `${users(count, isMore, ['is', 'are'])} assigned to ${name}.`;
  },
  force: 'Unassign and delete',
  forceHelp: (name: string, count = 0, isMore = false) => {
    const assigned = count === 0 ? 'Users are' : users(count, isMore, ['is', 'are']);
    return `Nothing was deleted. ${assigned} assigned to ${name}. To unassign it from them and delete it, type ${name} again. This cannot be undone.`;
  },
  blocked: (name: string, below: number) =>
    `${name} has ${below === 1 ? '1 organization' : `${below} organizations`} below it. Move or delete ${below === 1 ? 'that one' : 'those'} first.`,
};
