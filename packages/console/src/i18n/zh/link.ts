import { consoleLimits } from '@fieldroster/contract/console-limits';
import type { Texts } from '../en.ts';

export const link: Texts['link'] = {
  checking: '正在检查您的链接…',
  invite: '创建您的账号',
  inviteHelp: (role) => `您的身份：${role}。`,
  reset: (name) => `为 ${name} 设置新密码`,
  resetHelp: '设置新密码后，您的所有会话将结束，两步验证将关闭。',
  passwordHelp: `至少 ${consoleLimits.operatorPasswordCharactersMin} 个字符，例如由几个不相关的词组成`,
  createAccount: '创建账号',
  setPassword: '设置密码',
  notValid: '此链接已失效',
  notValidHelp: '链接已被使用、已过期或已撤销。请索取新链接，或运行：',
  otherAddress: '服务器不认识这个网址',
  otherAddressHelp: (address) =>
    `链接可能仍然有效。您打开的网址是 ${address}，与服务器设置的控制台地址不一致（例如使用了代理），因此被拒绝。请服务器管理员在启动时加上：--public-url ${address}`,
  failed: '无法检查此链接',
  probablyCreated: '您的账号可能已创建',
  probablySet: '您的新密码可能已生效',
  probablyUsedHelp:
    '响应在传输途中丢失，而链接只能使用一次。请用您填写的用户名和密码登录；如果无法登录，请索取新链接。',
  toSignIn: '前往登录',
};
