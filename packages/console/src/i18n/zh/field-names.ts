const names: Readonly<Record<string, string>> = {
  username: '用户名',
  real_name: '姓名',
  nickname: '昵称',
  gender: '性别',
  email: '邮箱',
  phone: '电话',
  department: '部门',
  unique_code: '编号',
  avatar: '头像',
  ext_info: '扩展信息',
  password: '密码',
  password_hash: '密码哈希',
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
  allowed_addresses: '允许的地址',
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
