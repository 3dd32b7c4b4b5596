import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One delivery as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly body: any;
}

/** An HTTP server that takes deliveries and answers as it is told. */
export class Receiver {
  readonly got: Received[] = [];
  /** Status of the next answers. */
  status = 200;

  private arrived = Promise.withResolvers<void>();

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<Receiver> {
    const server = http.createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        receiver.got.push({
          path: request.url!,
          headers: request.headers as Record<string, string>,
          text,
          body: JSON.parse(text),
        });
        response.writeHead(receiver.status).end();
        receiver.arrived.resolve();
        receiver.arrived = Promise.withResolvers();
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** What arrived under a path. */
  at(path: string): Received[] {
    return this.got.filter((received) => received.path === path);
  }

  /** Resolves once what has arrived is enough. */
  async until(is_enough: (got: readonly Received[]) => boolean): Promise<void> {
    while (!is_enough(this.got)) await this.arrived.promise;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
