import { registerHooks } from 'node:module';

/**
 * Directus runs users' scripts in a package that has to be compiled for one release of Node.js. No row here
 * has such a script, so that the name leads to a module of Node.js instead, and nothing need be compiled.
 */
registerHooks({
  resolve(name, context, next) {
    return name === 'isolated-vm' ? { url: 'node:vm', shortCircuit: true } : next(name, context);
  },
});
