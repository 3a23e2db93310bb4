export const discard = {
  title: 'Discard your changes?',
  help: 'What you have typed here is not saved yet.',
  keep: 'Keep editing',
  discard: 'Discard changes',
  sending: {
    title: 'Leave while this is being saved?',
    help: 'What you have typed here is on its way to the server. Leaving does not stop that.',
    keep: 'Stay',
    discard: 'Leave',
  },
};
