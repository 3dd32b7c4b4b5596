import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * The public port in front of the gRPC server. Whatever happens to a connection as such happens here: the gRPC
 * library could neither fall silent nor vanish in the middle of a call.
 */
export class Relay {
  #server: Server | null = null;
  #frozen = false;
  readonly #pairs = new Set<readonly [Socket, Socket]>();

  /** @param watch called with all bytes that a client or the server sends */
  constructor(
    private readonly target_port: number,
    private readonly watch?: (bytes: Buffer, from: 'client' | 'server') => void,
  ) {}

  get connections(): number {
    return this.#pairs.size;
  }

  /** @returns the port it listens on */
  async listen(port: number): Promise<number> {
    this.#server = createServer((client) => this.#accept(client));
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.#server) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server = null;
    this.drop();
    await closed;
  }

  drop(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  freeze(): void {
    this.#frozen = true;
    for (const [client, target] of this.#pairs) {
      client.unpipe(target).pause();
      target.unpipe(client).pause();
    }
  }

  thaw(): void {
    this.#frozen = false;
    for (const [client, target] of this.#pairs) join(client, target);
  }

  #accept(client: Socket): void {
    if (!this.#server) {
      client.destroy();
      return;
    }
    const target = connect(this.target_port, '127.0.0.1');
    const pair = [client, target] as const;
    this.#pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      // A broken connection is told by `close`.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
    const { watch } = this;
    if (watch) {
      client.on('data', (bytes) => watch(bytes as Buffer, 'client'));
      target.on('data', (bytes) => watch(bytes as Buffer, 'server'));
    }
    if (!this.#frozen) join(client, target);
  }
}

function join(client: Socket, target: Socket): void {
  client.pipe(target);
  target.pipe(client);
}
