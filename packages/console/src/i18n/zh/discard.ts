import type { Texts } from '../en.ts';

export const discard: Texts['discard'] = {
  typed: {
    title: '放弃修改？',
    help: '您在此输入的内容尚未保存。',
    keep: '继续编辑',
    discard: '放弃修改',
  },
  sending: {
    title: '正在保存，确定离开？',
    help: '您在此输入的内容正在发送到服务器，离开不会中止保存。',
    keep: '留在此页',
    discard: '离开',
  },
  shownOnce: {
    title: '尚未保存，确定离开？',
    help: '此内容只显示一次，遗失后须重新生成。',
    keep: '留在此页',
    discard: '离开',
  },
  making: {
    title: '尚未显示，确定离开？',
    help: '服务器正在生成只显示一次的内容。现在离开，就无人能看到，须重新生成。',
    keep: '留在此页',
    discard: '离开',
  },
};
