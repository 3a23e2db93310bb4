import { consoleLimits } from '@fieldroster/contract/console-limits';

export const link = {
  checking: 'Checking your link…',
  invite: 'Create your account',
  inviteHelp: (role: string) => `You will be ${role}.`,
  reset: (name: string) => `New password for ${name}`,
  resetHelp: 'This ends every session and turns the second factor off.',
  passwordHelp: `At least ${consoleLimits.operatorPasswordCharactersMin} characters, such as several unrelated words`,
  createAccount: 'Create account',
  setPassword: 'Set password',
  notValid: 'This link no longer works',
  notValidHelp: 'It was used, expired or withdrawn. Ask for a new one, or run: ',
  otherAddress: 'The server does not know this address',
  otherAddressHelp: (address: string) =>
    `Your link may still be valid. You opened it at ${address}, but the server expects the console at another address. This happens behind a proxy. Ask the operator of the server to start it with: --public-url ${address}`,
  failed: 'The link could not be checked',
  probablyCreated: 'Your account was probably created',
  probablySet: 'Your new password was probably set',
  probablyUsedHelp:
    'The answer was lost on the way, and the link works only once. Sign in with the username and the password that you chose. If they are refused, ask for a new link.',
  toSignIn: 'Go to the sign-in',
};
