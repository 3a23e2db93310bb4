import type { Texts } from '../en.ts';

export const orgs: Texts['orgs'] = {
  title: '组织',
  add: '添加组织',
  addBelow: '添加下级组织',
  edit: '编辑或移动',
  remove: '删除组织',
  name: '名称',
  parent: '上级组织',
  parentHelp: '留空表示顶级组织',
  below: (name) => `${name} 的下级组织`,
  empty: '还没有组织',
  emptyHelp: '组织是公司的各级部门和区域。添加第一个组织，或导入文件。',
  added: (name) => `已添加 ${name}`,
  saved: (name) => `已保存 ${name}`,
  moved: (name, parent) => `${name} 现在隶属于 ${parent}`,
  movedBack: (name) => `${name} 已恢复原位`,
  removed: (name) => `已删除 ${name}`,
};
