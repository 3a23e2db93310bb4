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
  otherAddress: 'The server does not know this address',
  otherAddressHelp: (address: string) =>
    `Your link may still be valid. The server refuses it because it was opened at ${address}, and the server knows the console at another address, as behind a proxy. Whoever runs the server must start it with: --public-url ${address}`,
  failed: 'The link could not be checked',
};
