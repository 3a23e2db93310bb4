export const audit = {
  title: 'Audit',
  operation: 'Operation',
  application: 'Application',
  operator: 'an operator',
  user: (id: string) => `User ${id}`,
  ofUser: (id: string) => `User ${id}`,
  empty: 'Nothing was changed',
  emptyHelp: 'Every change of this tenant appears here, with who made it and what was there before.',
};
