export const signIn = {
  title: 'Sign in',
  submit: 'Sign in',
  ended: 'Your session has ended',
  endedHelp: 'Sign in again to continue where you left off. What you typed is still here.',
  code: 'Code',
  codeHelp: 'Six digits from your authenticator, or a recovery code',
  /** Comes before how many are left. */
  usedRecoveryCode: 'You signed in with a recovery code.',
  makeCodes: 'Make new ones in the settings.',
  wrong: 'The username or the password is wrong. Correct it, then try again.',
  forgotten: 'Forgotten your password? An owner can send you a link, or run: ',
};
