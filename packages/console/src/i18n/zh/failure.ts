import type { Texts } from '../en.ts';

export const failure: Texts['failure'] = {
  title: '操作未成功',
  unreachable: '服务器没有响应',
  unreachableHelp: '您输入的内容不会丢失，本页会自动重试。',
  back: '服务器已恢复',
  requestId: (id) => `请求 ID ${id}`,
  notFound: '没有这个页面',
  notFoundHelp: '网址可能有误，或者页面已移动。',
  toOverview: '前往总览',
};
