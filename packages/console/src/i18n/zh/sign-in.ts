import type { Texts } from '../en.ts';

export const signIn: Texts['signIn'] = {
  title: '登录',
  submit: '登录',
  code: '验证码',
  codeHelp: '身份验证器显示的六位数字，或一个恢复码',
  forgotten: '忘记密码？请所有者给您发送链接，或运行：fieldroster operator reset',
};
