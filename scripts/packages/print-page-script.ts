import { pageScript } from './bundle-page.ts';

// Run by a server that serves /docs from the sources.
process.stdout.write(await pageScript(process.cwd()));
