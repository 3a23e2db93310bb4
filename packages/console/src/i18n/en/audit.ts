import { written } from '../written.ts';

const changes = (count: number) => (count === 1 ? '1 change' : `${written(count)} changes`);

export const audit = {
  title: 'Audit',
  operation: 'Operation',
  application: 'Application',
  anyOperator: 'Operator',
  command: 'Command line',
  commandBy: (name: string) => `Command line: ${name}`,
  unknownActor: (kind: string, id: string) => (kind === 'operator' ? `Operator ${id}` : id),
  userFilter: 'User',
  store: 'Store code',
  clear: 'Clear filters',
  user: (id: string) => `User ${id}`,
  deletedUser: '(deleted)',
  empty: 'No changes yet',
  emptyHelp: 'Every change of this tenant appears here, with who made it and what was there before.',
  noneFound: 'No change matches',
  noneFoundHelp: 'Remove a filter, or choose a longer period.',
  noneOfStore: 'No change of this store is on record',
  noneOfStoreHelp:
    'Later changes will appear here. The sample directory and changes from before the audit trail began are not recorded for each store.',
  searching: 'Nothing found so far; older changes have not been searched.',
  reach: 'Whose changes',
  ofTenant: 'This tenant',
  ofDeployment: 'Deployment',
  deploymentEmptyHelp: 'Changes to operators and to the deployment appear here. They belong to no tenant.',
  export: 'Export CSV',
  exporting: (count: number) => `Exporting… ${changes(count)} so far`,
  exported: (count: number) => `${changes(count)} exported`,
  exportCut: (count: number) =>
    `Only the newest ${changes(count)} were exported. Choose a shorter period to export the others.`,
};
