import type { Texts } from '../en.ts';

export const audit: Texts['audit'] = {
  title: '审计日志',
  operation: '操作',
  application: '应用',
  operator: '操作员',
  user: (id) => `用户 ${id}`,
  ofUser: (id) => `用户 ${id}`,
  empty: '没有任何修改',
  emptyHelp: '此租户的每次修改都会显示在这里，包括修改者和修改前的值。',
};
