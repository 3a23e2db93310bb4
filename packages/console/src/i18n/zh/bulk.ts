import type { Texts } from '../en.ts';
import { written } from '../written.ts';

export const bulk: Texts['bulk'] = {
  label: '已选择的用户',
  selected: (count) => `已选择 ${written(count)} 位`,
  tooMany: (count, max) => `已选择 ${written(count)} 位，一次最多修改 ${written(max)} 位`,
  clear: '清除选择',
  change: '修改',
  actions: {
    role: '设置角色…',
    org: '设置组织…',
    addStore: '绑定门店…',
    removeStore: '解绑门店…',
    disable: '停用…',
    enable: '启用…',
  },
  titles: {
    role: (count) => `设置 ${written(count)} 位用户的角色`,
    org: (count) => `设置 ${written(count)} 位用户的组织`,
    addStore: (count) => `为 ${written(count)} 位用户绑定门店`,
    removeStore: (count) => `为 ${written(count)} 位用户解绑门店`,
    disable: (count) => `停用 ${written(count)} 位用户`,
    enable: (count) => `启用 ${written(count)} 位用户`,
  },
  preview: '变更内容',
  unchanged: '保持不变',
  summary: (changed, all) =>
    changed === all
      ? `将修改 ${written(changed)} 位用户`
      : `${written(all)} 位用户中有 ${written(changed)} 位将被修改`,
  done: {
    role: (count) => `已设置 ${written(count)} 位用户的角色`,
    org: (count) => `已设置 ${written(count)} 位用户的组织`,
    addStore: (count) => `已为 ${written(count)} 位用户绑定门店`,
    removeStore: (count) => `已为 ${written(count)} 位用户解绑门店`,
    disable: (count) => `已停用 ${written(count)} 位用户`,
    enable: (count) => `已启用 ${written(count)} 位用户`,
  },
  undone: (count) => `已撤销对 ${written(count)} 位用户的修改`,
  findStore: '编号、名称或地址',
  noStore: '没有匹配的门店',
};
