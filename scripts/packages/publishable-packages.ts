/** The folders below `packages` that are published, each after those that it depends on. */
export const publishablePackages = ['signing', 'contract', 'client', 'server', 'cli'] as const;
