import type { Texts } from '../en.ts';

export const help: Texts['help'] = {
  title: '帮助',
  shortcuts: '键盘快捷键',
  reference: '接口文档',
  everywhere: '所有页面',
  inLists: '列表中',
  what: {
    palette: '搜索用户、门店和页面',
    shortcuts: '显示这些快捷键',
    close: '关闭当前打开的内容',
    search: '搜索列表',
    oneRow: '上移或下移一行',
    tenRows: '上移或下移十行',
    ends: '跳到已加载的首行或末行',
    open: '打开当前行',
    select: '选择当前行',
    actions: '跳到当前行的操作',
    details: '在已打开的行和详情之间切换',
  },
};
