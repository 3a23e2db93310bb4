import { userFields } from './user-fields.ts';

const names: Readonly<Record<string, string>> = {
  username: '用户名',
  ...userFields,
  avatar: '头像',
  password: '密码',
  password_hash: '密码哈希',
  user_id: '用户 ID',
  operator_id: '操作员 ID',
  request_id: '请求 ID',
  app_id: 'APPID',
  operation: '操作',
  search: '搜索内容',
  status: '状态',
  scope: '权限范围',
  expires_at: '到期时间',
  role_id: '角色 ID',
  org_id: '组织 ID',
  store_codes: '门店编号',
  store_code: '门店编号',
  id: 'ID',
  code: '编号',
  name: '名称',
  address: '地址',
  description: '说明',
  parent_id: '上级组织 ID',
  system_id: '系统 ID',
  order: '排序',
  allowed_addresses: '允许的 IP 地址',
  rate_limit: '速率限制',
  new_password: '新密码',
  users: '用户',
  stores: '门店',
};

/** Names a field, such as `stores[3].code`, as the pages do. */
export function named(field: string): string {
  const [name = field] = field.slice(field.lastIndexOf('.') + 1).split('[');
  return `“${names[name] ?? field}”`;
}
