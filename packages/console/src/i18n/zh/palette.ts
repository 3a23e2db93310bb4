import type { Texts } from '../en.ts';

export const palette: Texts['palette'] = {
  title: '搜索',
  placeholder: '姓名、电话、编号、页面…',
  found: '结果',
  pages: '页面',
  nothing: '没有匹配项。请输入姓名、电话或编号的一部分。',
  failed: '搜索失败。',
  someFailed: '部分搜索失败。',
};
