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
    title: 'Leave without storing this?',
    help: 'It is shown only once. If you lose it, it has to be made again.',
    keep: 'Stay',
    discard: 'Leave',
  },
  making: {
    title: 'Leave before it is shown?',
    help: 'The server is making something that is shown only once. If you leave now, nobody sees it, and it has to be made again.',
    keep: 'Stay',
    discard: 'Leave',
  },
};
