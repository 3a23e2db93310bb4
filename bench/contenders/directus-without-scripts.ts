import { registerHooks } from 'node:module';

/**
 * Directus runs users' scripts in a package that must be compiled for each release of Node.js. The benchmark has no such
 * scripts, so this replaces the package by a module of Node.js.
 */
registerHooks({
  resolve(name, context, next) {
    return name === 'isolated-vm' ? { url: 'node:vm', shortCircuit: true } : next(name, context);
  },
});
