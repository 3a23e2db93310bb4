import type { Texts } from '../en.ts';

export const applications: Texts['applications'] = {
  title: '应用',
  issue: '签发应用',
  name: '名称',
  nameHelp: '用它签名的系统，例如“人事同步”',
  scope: '权限范围',
  scopes: { read: '读取', write: '写入', manage: '管理' },
  scopeHelp: {
    read: '查询用户及其绑定',
    write: '还可以创建、修改用户和绑定',
    manage: '还可以修改角色、组织、门店和用户状态',
  },
  liveSecrets: '密钥数',
  secrets: '密钥',
  lastUsed: '最近使用',
  never: '从未',
  ends: '失效时间',
  noEnd: '长期有效',
  empty: '还没有应用',
  emptyHelp: '应用是可以调用本目录的其他系统。签发后即可获得 APPID 和密钥。',
  once: '密钥只显示这一次',
  onceHelp: '关闭之前，请把它保存到对方系统读取的位置。',
  stored: '我已保存',
  rotate: '轮换密钥',
  rotateHelp: '应用会得到新密钥；旧密钥在失效之前仍可使用，调用不会中断。',
  oldSecret: '旧密钥失效时间',
  endsIn: (hours) => {
    if (hours === 0) return '立即';
    return hours < 24 ? `${hours} 小时后` : `${hours / 24} 天后`;
  },
  revoke: '吊销应用',
  revokeHelp: (name) => `${name} 的所有调用将立即失败，且无法恢复。`,
  nowRevoked: (name) => `${name} 已吊销`,
};
