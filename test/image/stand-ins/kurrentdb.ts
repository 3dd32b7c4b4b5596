import { createServer, connect, type Socket } from 'node:net';
import { startKurrentServer } from '../../servers/kurrentdb/server.js';

/** The tests' event store as a container: gRPC and `GET /gossip` on port 2113, its log in the volume. */
const PORT = 2113;
const server = await startKurrentServer({ file: '/var/lib/eventstore/log' });

const gossip = JSON.stringify({ members: [{ state: 'Leader', isAlive: true }] });
const answer = [
  'HTTP/1.1 200 OK',
  'Content-Type: application/json',
  `Content-Length: ${gossip.length}`,
  'Connection: close',
  '',
  gossip,
].join('\r\n');

function serve(socket: Socket): void {
  socket.once('error', () => socket.destroy());
  socket.once('data', (first) => {
    if (first.toString('latin1', 0, 4) === 'GET ') {
      socket.end(answer);
      return;
    }
    const behind = connect(server.port, '127.0.0.1');
    behind.once('error', () => socket.destroy());
    socket.once('close', () => behind.destroy());
    behind.once('close', () => socket.destroy());
    behind.write(first);
    socket.pipe(behind).pipe(socket);
  });
}

createServer(serve).listen(PORT, '0.0.0.0');
process.once('SIGTERM', () => process.exit());
