import type { Texts } from '../en.ts';

export const signIn: Texts['signIn'] = {
  title: '登录',
  submit: '登录',
  ended: '登录已过期',
  endedHelp: '请重新登录，继续刚才的操作。您输入的内容仍然保留。',
  code: '验证码',
  codeHelp: '身份验证器显示的六位数字，或一个恢复码',
  usedRecoveryCode: '您已使用恢复码登录。',
  makeCodes: '请在“设置”中生成新的恢复码。',
  wrong: '用户名或密码有误，请更正后重试。',
  forgotten: '忘记密码？请所有者给您发送链接，或运行：',
};
