import { serverOf } from '../process/packages-of.ts';
import { serveParent } from '../process/parent.ts';

/** Arguments: the folder of the checkout to serve, and the folder of the directory. */
const [root = '', data = ''] = process.argv.slice(2);
const { readSettings, startServer } = await serverOf(root);
const { url } = await startServer(readSettings({ data, port: '0' }, {}), {});
serveParent(url);
