export const signIn = {
  title: 'Sign in',
  submit: 'Sign in',
  code: 'Code',
  codeHelp: 'Six digits from your authenticator, or a recovery code',
  forgotten: 'Forgotten your password? An owner can send you a link, or run: fieldroster operator reset',
};
