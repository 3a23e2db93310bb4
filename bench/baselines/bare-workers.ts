import cluster from 'node:cluster';
import { join } from 'node:path';

// Two processes of the bare server on one port. They print their URL.
cluster.setupPrimary({ exec: join(import.meta.dirname, 'bare-http.ts'), args: ['constant'] });
cluster.fork();
cluster.fork();
