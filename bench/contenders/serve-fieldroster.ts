import { serverOf } from '../process/packages-of.ts';
import { serveParent } from '../process/parent.ts';

/** Arguments: the folder of the checkout, the folder of the directory, and the URL of its database, if any. */
const [root = '', data = '', database = ''] = process.argv.slice(2);
const { readSettings, startServer } = await serverOf(root);
const settings = readSettings({ data, port: '0', ...(database !== '' && { database }) }, {});
const { url } = await startServer(settings, {});
serveParent(url);
