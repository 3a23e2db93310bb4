import { statSync } from 'node:fs';

/** Paths that name a descriptor of the process that uses them. */
const ownDescriptor = /^\/(dev\/(stdin|fd\/\d+)|proc\/(self|thread-self|\d+)\/fd\/\d+)$/;

/**
 * Returns whether another process cannot read what this one has read from a path: it is a pipe, such as that of
 * `<(command)`, or names a descriptor. A worker does not have the descriptors of its supervisor, so the path decides.
 */
export function isReadOnce(path: string): boolean {
  return ownDescriptor.test(path) || isPipe(path);
}

/** Returns false for a path that cannot be examined, for example below a folder of another user. */
function isPipe(path: string): boolean {
  try {
    return statSync(path).isFIFO();
  } catch {
    return false;
  }
}
