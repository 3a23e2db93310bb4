export const link = {
  invite: 'Create your account',
  inviteHelp: (role: string) => `You will be ${role}.`,
  reset: (name: string) => `New password for ${name}`,
  resetHelp: 'This ends every session and turns the second factor off.',
  passwordHelp: 'At least 12 characters',
  createAccount: 'Create account',
  setPassword: 'Set password',
  notValid: 'This link does not work any more',
  notValidHelp: 'It was used, or it has expired. Ask for a new one, or run: fieldroster operator invite',
};
