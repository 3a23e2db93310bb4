export const failure = {
  title: 'That did not work',
  /** Before what the server says, where the page has no words for it. */
  inEnglish: 'The server refused this. It says:',
  unreachable: 'The server does not answer',
  unreachableHelp: 'Nothing that you typed is lost. This page tries again automatically.',
  unreachableChange:
    'Nothing that you typed is lost. Press the button again when the server answers: the change is made once, even if the first attempt arrived.',
  answerLost: 'It is done, but the answer was lost',
  answerLostHelp:
    'The server made the change, and the network broke before its answer arrived. Load the page again to see it.',
  /** By the operation. */
  answersLost: {
    issueApplication:
      'The application exists, but its secret was lost on the way and is not shown again. Open the application in the list and rotate its secret: that shows a new one.',
    rotateSecret:
      'The new secret was lost on the way and is not shown again. If you let the secret from before work on, rotating once more ends it at once: rotate again when you can install the new secret right away, or run fieldroster app rotate with --replace-newest on the server, which leaves it alone.',
    inviteOperator: 'The link was lost on the way and is not shown again. Nobody has it. Make another one.',
    resetOperator: 'The link was lost on the way and is not shown again. Nobody has it. Make another one.',
    beginSecondFactor:
      'The new secret was lost on the way and is not shown again. Enter the next code, if you were asked for one, and continue once more to get another.',
    confirmSecondFactor:
      'The second factor is on, but its recovery codes were lost on the way and are not shown again. Load the page again and make new recovery codes.',
    makeRecoveryCodes:
      'The old recovery codes no longer work, but the new ones were lost on the way and are not shown again. Enter the next code and make new ones once more.',
  } as Readonly<Record<string, string>>,
  perhapsDone: 'This may have been done',
  perhapsDoneHelp:
    'Your session ended before the answer arrived. Press the button again: the change is made once, even if the first attempt arrived.',
  /** By the operation, for those that end the session. */
  perhapsDoneHelps: {
    changePassword:
      'Your session ended before the answer arrived. Your password is the one with which you have just signed in. If that is the old one, press the button again.',
    confirmSecondFactor:
      'Your session ended before the answer arrived. The second factor may be on, with recovery codes that are not shown again. Load the page again: if it is on, make new recovery codes.',
    makeRecoveryCodes:
      'Your session ended before the answer arrived. If the change was made, your old recovery codes no longer work, and the new ones are not shown again. Enter the next code and make new ones once more.',
  } as Readonly<Record<string, string>>,
  outdated: 'This part of the console cannot be loaded',
  outdatedHelp: 'The server may have a newer release. Load the page again.',
  reload: 'Load the page again',
  requestId: (id: string) => `Request ID ${id}`,
  notFound: 'There is no such page',
  notFoundHelp: 'The address may be wrong, or the page has moved.',
  toOverview: 'Go to the overview',
  noTenant: 'There is no such tenant',
  noTenantHelp: 'The address may be wrong, or you may have no access to this tenant. These are yours:',
  rightsChanged: (role: string, hasAllTenants: boolean) =>
    `Your rights have changed. Your role is now ${role}, for ${hasAllTenants ? 'all tenants' : 'the tenants that you can choose'}.`,
  withoutTenant: 'You have no access to any tenant',
  withoutTenantHelp: (username: string) =>
    `An owner must give ${username} access to a tenant. Try again once that is done.`,
};
