import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

// Preloaded into a command, which it stops once that has locked its draft, as SIGSTOP from another process might.

const { renameSync } = fs;

fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (basename(String(to)) === 'lock') process.kill(process.pid, 'SIGSTOP');
};
syncBuiltinESMExports();
