export const targets = {
  removeHelp: (name: string) => `Deleting ${name} cannot be undone.`,
  force: 'Unassign and delete',
  forceHelp: (reason: string) => `It was not deleted: ${reason}. Deleting it now unassigns all of them.`,
};
