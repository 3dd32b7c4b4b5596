import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Client } from './client.js';

/** Why a WebSocket was closed. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A WebSocket as a test uses it: messages in their order, and how it ended. */
export class TestSocket {
  private readonly messages: string[] = [];
  private wake: () => void = () => {};
  private ended: Closed | undefined;
  readonly closed: Promise<Closed>;

  private constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        this.ended = { code, reason: reason.toString() };
        resolve(this.ended);
        this.wake();
      });
    });
    socket.on('message', (data) => {
      this.messages.push((data as Buffer).toString());
      this.wake();
    });
  }

  /** Opens a socket below a client's base, with its token in the query; fails if it does not open. */
  static async open(who: Client, path: string, options: object = {}): Promise<TestSocket> {
    const url = new URL(who.base.replace(/^http/, 'ws') + path);
    if (who.token) url.searchParams.set('auth', who.token);
    const test = new TestSocket(new WebSocket(url, options));
    await once(test.socket, 'open');
    return test;
  }

  say(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message, parsed. */
  async next(): Promise<any> {
    for (;;) {
      const text = this.messages.shift();
      if (text !== undefined) return JSON.parse(text);
      if (this.ended) throw new Error(`closed: ${JSON.stringify(this.ended)}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  /** Sends a ping and gives what is answered. */
  pong(): Promise<any> {
    this.say({ type: 'ping' });
    return this.next();
  }

  /** Resolves once the server has seen everything said before; fails if it had more to say than that. */
  async heard(): Promise<void> {
    const answer = await this.pong();
    if (answer.type !== 'pong') throw new Error(`no pong but ${JSON.stringify(answer)}`);
  }

  /** Messages that came and were not taken. */
  get waiting(): number {
    return this.messages.length;
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}
