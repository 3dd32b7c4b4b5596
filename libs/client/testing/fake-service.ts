import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Answers one request. */
export type Step = (request: Received, response: ServerResponse) => void;

/** A server that answers by a script: one step a request, the last one for all further requests. */
export class FakeService {
  readonly received: Received[] = [];
  #steps: Step[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  static async start(): Promise<FakeService> {
    const service = new FakeService();
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forgets what was received, and answers by these steps from now on. */
  script(...steps: Step[]): void {
    this.received.length = 0;
    this.#steps = steps;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    this.received.push(received);
    const step = this.#steps.length > 1 ? this.#steps.shift()! : this.#steps[0]!;
    step(received, response);
  }
}

/** Breaks the connection off without an answer. */
export const breakOff: Step = (_, response) => response.destroy();

export const success =
  (data: unknown, headers: Record<string, string> = {}): Step =>
  (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ ok: { data } }));

export const failure =
  (status: number, type: string, headers: Record<string, string> = {}): Step =>
  (_, response) => {
    const err = { code: status, type, message: type, request_id: 'r', details: [] };
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ err }));
  };
