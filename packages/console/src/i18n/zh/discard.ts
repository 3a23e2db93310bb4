import type { Texts } from '../en.ts';

export const discard: Texts['discard'] = {
  title: '放弃修改？',
  help: '您在此输入的内容尚未保存。',
  keep: '继续编辑',
  discard: '放弃修改',
};
