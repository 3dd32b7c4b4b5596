import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Another node, asked over one connection: a line of JSON there, a line of JSON back, in order. */
export class Peer {
  #socket: Socket | null = null;
  readonly #asked: PromiseWithResolvers<unknown>[] = [];

  constructor(private readonly port: number) {}

  /** Rejects once the connection ends; a frozen node answers when it is thawed. */
  ask<T>(message: object): Promise<T> {
    const answer = Promise.withResolvers<unknown>();
    this.#asked.push(answer);
    this.#socket ??= this.#connect();
    this.#socket.write(`${JSON.stringify(message)}\n`);
    return answer.promise as Promise<T>;
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Socket {
    const socket = connect(this.port, '127.0.0.1').setNoDelay(true);
    socket.on('close', () => {
      this.#socket = null;
      for (const { reject } of this.#asked.splice(0)) reject(new Error('the node is gone'));
    });
    onLine(socket, (line) => this.#asked.shift()?.resolve(JSON.parse(line)));
    return socket;
  }
}

/** A broken connection is told by `close`. */
function onLine(socket: Socket, handle: (line: string) => void): void {
  socket.on('error', () => undefined);
  createInterface({ input: socket })
    .on('line', handle)
    .on('error', () => undefined);
}

/** Answers other nodes; `closed` is called with the connection that ended. */
export async function servePeers(
  port: number,
  answer: (message: unknown, connection: object) => object,
  closed: (connection: object) => void,
): Promise<Server> {
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('close', () => closed(socket));
    onLine(socket, (line) => socket.write(`${JSON.stringify(answer(JSON.parse(line), socket))}\n`));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
