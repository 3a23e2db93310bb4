export const discard = {
  typed: {
    title: 'Discard your changes?',
    help: 'What you have typed here is not saved yet.',
    keep: 'Keep editing',
    discard: 'Discard changes',
  },
  sending: {
    title: 'Leave while this is being saved?',
    help: 'What you have typed here is on its way to the server. Leaving does not stop that.',
    keep: 'Stay',
    discard: 'Leave',
  },
  shownOnce: {
    title: 'Leave without storing it?',
    help: 'What this page shows is shown only once. If it is lost, it has to be made again.',
    keep: 'Stay',
    discard: 'Leave',
  },
};
