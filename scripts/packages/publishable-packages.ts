/** The folders of `packages` that are compiled, each after its dependencies. */
export const compiledPackages = ['signing', 'contract', 'client', 'tables', 'server', 'cli'] as const;

/** Those that are published. The others are bundled into them. */
export const publishablePackages = compiledPackages.filter((name) => name !== 'tables');
