import { connect } from 'node:net';
import { SeededRandom } from '../../e2e/seeded-random.ts';
import { username } from '../directory/seeded-user.ts';
import { countCalls, serveParent } from '../process/parent.ts';
import { encodeSearch, foundOne } from './ldap.ts';

/** Arguments: the port of an LDAP server, the base of its users, their number, and the number of connections. */
const [port = '', base = '', users = '', connections = ''] = process.argv.slice(2);
const random = new SeededRandom(1);
const searches = Array.from({ length: 20_000 }, () =>
  encodeSearch(base, 'uid', username(random.integer(1, Number(users)))),
);
const nothing = Buffer.alloc(0);

/** Opens a connection, and returns what sends a search and waits for the answer. */
function open() {
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  let answered = Promise.withResolvers<void>();
  let received: Buffer = nothing;
  socket.on('data', (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    const found = foundOne(received);
    if (found === undefined) return;
    received = nothing;
    if (found) answered.resolve();
    else answered.reject(new Error('a search did not find exactly one entry'));
  });
  return (search: Buffer): Promise<void> => {
    answered = Promise.withResolvers();
    socket.write(search);
    return answered.promise;
  };
}

const idle = Array.from({ length: Number(connections) }, open);

serveParent((seconds) =>
  countCalls(seconds, idle.length, async (count) => {
    const send = idle.pop();
    const search = searches[count % searches.length];
    if (send === undefined || search === undefined) throw new TypeError('every connection is busy');
    await send(search);
    idle.push(send);
  }),
);
