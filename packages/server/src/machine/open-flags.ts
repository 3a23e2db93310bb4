import { constants } from 'node:fs';

/** Flags for opening files. Windows has none of these three, and lets only administrators make links. */
export const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
