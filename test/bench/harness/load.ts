import { connect, type Socket } from 'node:net';
import { percentile } from './statistics.js';

/** How the load client works; shown with every result, since a client that spins gives other figures. */
export const CLIENT =
  'keep-alive client on node:net sockets, one request at a time on each, no pipelining; it never ' +
  'sleeps while reads are loaded (else every answer pays for waking it), and waits idle elsewhere';

/** One request as it goes over the wire. */
export type Request = string;

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly per_second: number;
  /** Milliseconds from sending to the last byte of the answer. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly latencies_ms: readonly number[];
}

export interface LoadOptions {
  readonly duration_ms: number;
  /** Makes the next request, whichever connection sends it. */
  readonly next: () => Request;
  /** Pause of every connection between an answer and its next request; 0: none. */
  readonly pause_ms?: number;
  /** Polls instead of sleeping: takes a core of its own, and no answer has to wake it. */
  readonly spins?: boolean;
  /** Ends the load before `duration_ms`. */
  readonly until?: AbortSignal;
}

const HOST = '127.0.0.1';
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Connections to one server on this machine, open from the first run to `close`. */
export class LoadClient {
  private constructor(private readonly connections: readonly Connection[]) {}

  static async connect(port: number, connections: number): Promise<LoadClient> {
    return new LoadClient(
      await Promise.all(Array.from({ length: connections }, () => Connection.open(port))),
    );
  }

  /** Number of connections. */
  get size(): number {
    return this.connections.length;
  }

  /** Sends for as long as asked, then waits for the answers still to come. */
  async run({ duration_ms, next, pause_ms = 0, spins, until }: LoadOptions): Promise<LoadResult> {
    const latencies_ms: number[] = [];
    const started = performance.now();
    const end = started + duration_ms;
    const work = async (connection: Connection): Promise<void> => {
      while (performance.now() < end && !until?.aborted) {
        const sent = performance.now();
        await connection.ask(next());
        latencies_ms.push(performance.now() - sent);
        if (pause_ms > 0) await new Promise((resolve) => setTimeout(resolve, pause_ms));
      }
    };
    const stop = spins ? spin() : () => {};
    await Promise.all(this.connections.map(work));
    stop();
    const seconds = (performance.now() - started) / 1000;
    return {
      requests: latencies_ms.length,
      seconds,
      per_second: latencies_ms.length / seconds,
      p50_ms: percentile(latencies_ms, 0.5),
      p99_ms: percentile(latencies_ms, 0.99),
      latencies_ms,
    };
  }

  /** Sends one request and gives the body of its answer. */
  ask(request: Request): Promise<string> {
    return this.connections[0]!.ask(request, true);
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }
}

/** Keeps the event loop from sleeping until the returned function is called. */
function spin(): () => void {
  let goes_on = true;
  const turn = (): void => {
    if (goes_on) setImmediate(turn);
  };
  turn();
  return () => (goes_on = false);
}

interface Waiting {
  readonly wants_body: boolean;
  readonly resolve: (body: string) => void;
  readonly reject: (error: Error) => void;
}

/** One connection; it has at most one request under way. */
class Connection {
  private waiting: Waiting | null = null;
  private received: Buffer[] = [];
  private bytes = 0;
  /** Bytes of the whole answer, once its head is here. */
  private expected = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error('the server closed the connection')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: HOST, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket)));
    });
  }

  ask(request: Request, wants_body = false): Promise<string> {
    return new Promise((resolve, reject) => {
      // Nothing would tell of it any more.
      if (this.socket.destroyed) return reject(new Error('the server closed the connection'));
      this.waiting = { wants_body, resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.waiting = null;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received.push(chunk);
    this.bytes += chunk.length;
    if (this.expected === 0) {
      const head_end = this.answer().indexOf(END_OF_HEAD);
      if (head_end < 0) return;
      const head = this.answer().toString('latin1', 0, head_end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) return this.fail(`an answer without length: ${head}`);
      this.expected = head_end + END_OF_HEAD.length + Number(length);
    }
    if (this.bytes < this.expected) return;
    const answer = this.answer();
    const status = answer.toString('latin1', 9, 12);
    if (status !== '200') return this.fail(answer.toString());
    const { waiting } = this;
    const body = waiting?.wants_body
      ? answer.toString('utf8', answer.indexOf(END_OF_HEAD) + END_OF_HEAD.length)
      : '';
    this.received = [];
    this.bytes = 0;
    this.expected = 0;
    this.waiting = null;
    waiting?.resolve(body);
  }

  private answer(): Buffer {
    if (this.received.length > 1) this.received = [Buffer.concat(this.received)];
    return this.received[0]!;
  }

  private fail(reason: string): void {
    this.waiting?.reject(new Error(`the load client got ${reason.slice(0, 500)}`));
  }
}

/** A GET as the load client sends it. */
export function get(path: string, token?: string): Request {
  return `GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\n${authorization(token)}\r\n`;
}

/** A POST of a JSON text. */
export function post(
  path: string,
  body: string,
  token?: string,
  headers: Readonly<Record<string, string>> = {},
): Request {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${HOST}\r\n${authorization(token)}${more.join('')}` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

function authorization(token?: string): string {
  return token ? `Authorization: Bearer ${token}\r\n` : '';
}
