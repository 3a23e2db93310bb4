import type { Texts } from '../en.ts';
import { written } from '../written.ts';

export const moveStores: Texts['moveStores'] = {
  title: '转移门店',
  open: '转移门店…',
  from: '转出',
  to: '转入',
  clear: '清除',
  filter: '名称、编号或地址',
  all: (count) => `全选 ${written(count)} 家门店`,
  pickFrom: '请选择要转出门店的业务代表。',
  pickTo: '请选择接手的同事。',
  arrives: '新增',
  chooseStore: '请选择至少一家门店。',
  nothingToMove: '没有可转移的门店。',
  cannot: (name, reason) => `${name}：${reason}`,
  gives: '已选为转出方',
  takes: '已选为转入方',
  disabled: '已停用',
  preview: (count, from, to, shared) => {
    const already = shared === 0 ? '' : `，其中 ${written(shared)} 家已由 ${to} 负责`;
    return `${written(count)} 家门店将从 ${from} 转给 ${to}${already}。`;
  },
  move: (count) => (count === 0 ? '转移门店' : `转移 ${written(count)} 家门店`),
  moved: (count, from, to) => `已将 ${written(count)} 家门店从 ${from} 转给 ${to}`,
  undone: (count, from) => `${written(count)} 家门店已退回给 ${from}`,
  viewer: '您可以查看门店，但只有管理者可以转移。',
};
