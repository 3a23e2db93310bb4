export const discard = {
  title: 'Discard your changes?',
  help: 'What you have typed here is not saved yet.',
  keep: 'Keep editing',
  discard: 'Discard changes',
};
