export const signIn = {
  title: 'Sign in',
  submit: 'Sign in',
  ended: 'Your session has ended',
  endedHelp: 'Sign in again to go on where you were. What you typed is still here.',
  code: 'Code',
  codeHelp: 'Six digits from your authenticator, or a recovery code',
  forgotten: 'Forgotten your password? An owner can send you a link, or run: fieldroster operator reset',
};
