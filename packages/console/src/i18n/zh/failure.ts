import type { Texts } from '../en.ts';

export const failure: Texts['failure'] = {
  title: '操作未成功',
  unreachable: '服务器没有响应',
  unreachableHelp: '您输入的内容不会丢失，本页会自动重试。',
  back: '服务器已恢复',
  requestId: (id) => `请求编号 ${id}`,
  notFound: '没有这个页面',
  notFoundHelp: '页面可能已移动，可以从总览开始。',
  toOverview: '前往总览',
};
