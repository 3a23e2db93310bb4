import type { Texts } from '../en.ts';

export const userFields: Texts['users']['fields'] = {
  real_name: '姓名',
  nickname: '昵称',
  gender: '性别',
  email: '邮箱',
  phone: '电话',
  department: '部门',
  unique_code: '编号',
  avatar: '头像（网址）',
  ext_info: '扩展信息',
};
