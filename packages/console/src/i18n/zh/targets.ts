import type { Texts } from '../en.ts';
import { written } from '../written.ts';

const users = (count: number, isMore: boolean) =>
  isMore ? `超过 ${written(count)} 位用户` : `${written(count)} 位用户`;

export const targets: Texts['targets'] = {
  removeHelp: (name, count, isMore = false) => {
    if (count === undefined) return `删除 ${name} 后无法恢复。`;
    if (count === 0) return `没有用户绑定 ${name}。删除后无法恢复。`;
    return `删除 ${name} 将解绑 ${users(count, isMore)}。此操作无法撤销。`;
  },
  force: '解绑并删除',
  forceHelp: (name, count = 0, isMore = false) => {
    const assigned = count === 0 ? '仍有用户' : `仍有 ${users(count, isMore)}`;
    return `尚未删除：${assigned}绑定了 ${name}。如要解绑这些用户并删除，请再次输入 ${name}。此操作无法撤销。`;
  },
  blocked: (name, below) => `${name} 下还有 ${written(below)} 个组织，请先移走或删除这些组织。`,
};
