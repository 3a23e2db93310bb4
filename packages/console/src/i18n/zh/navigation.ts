import type { Texts } from '../en.ts';

export const navigation: Texts['navigation'] = {
  overview: '总览',
  users: '用户',
  stores: '门店',
  orgs: '组织',
  roles: '角色',
  applications: '应用',
  requests: '请求',
  audit: '审计日志',
  signatureLab: '签名实验室',
  settings: '设置',
  importUsers: '导入用户',
  moveStores: '转移门店',
  menu: '菜单',
  main: '主导航',
  tenant: '租户',
  account: '账号',
  signOut: '退出登录',
  signOutEverywhere: '在所有设备上退出',
  palette: '搜索用户、门店、页面…',
  skip: '跳到正文',
};
