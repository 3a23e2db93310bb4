import type { Texts } from '../en.ts';

export const targets: Texts['targets'] = {
  removeHelp: (name) => `删除 ${name} 后无法恢复。`,
  force: '解绑并删除',
  forceHelp: (reason) => `未删除：${reason}。现在删除会解绑所有相关用户。`,
};
