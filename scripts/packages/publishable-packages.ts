/** The published folders of `packages`, each after its dependencies. */
export const publishablePackages = ['signing', 'contract', 'client', 'server', 'cli'] as const;
