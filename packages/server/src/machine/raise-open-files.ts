/** Files that a server without connections opens, about 35, with room for backups and for what its libraries open. */
const filesMin = 256;

/** Advice when the process may open no more files. */
export const raiseOpenFiles = `raise the limit of open files (LimitNOFILE, ulimit -Hn) to at least ${filesMin} and one for each connection`;
