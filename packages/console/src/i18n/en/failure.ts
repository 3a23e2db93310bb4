export const failure = {
  title: 'That did not work',
  unreachable: 'The server does not answer',
  unreachableHelp: 'Nothing that you typed is lost. This page tries again by itself.',
  back: 'The server is back',
  requestId: (id: string) => `Request id ${id}`,
  notFound: 'There is no such page',
  notFoundHelp: 'The address may be wrong, or the page has moved.',
  toOverview: 'Go to the overview',
};
