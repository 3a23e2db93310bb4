export const help = {
  title: 'Help',
  shortcuts: 'Keyboard shortcuts',
  reference: 'Interface reference',
  everywhere: 'Everywhere',
  inLists: 'In lists',
  what: {
    palette: 'Search users, stores and pages',
    shortcuts: 'Show these shortcuts',
    close: 'Close what is open',
    search: 'Search the list',
    oneRow: 'One row up or down',
    tenRows: 'Ten rows up or down',
    ends: 'First or last loaded row',
    open: 'Open the row',
    select: 'Select the row',
    actions: "To the row's actions",
  },
};
