import { Readable } from 'node:stream';
import { negotiate } from '@fastify/accept-negotiator';

/** Minimum interval between two messages of progress, ms. */
const INTERVAL_MS = 200;

/** Whether a header Accept prefers an event stream to JSON. */
export function prefersEvents(accept: string | undefined): boolean {
  const offered = ['application/json', 'text/event-stream'];
  return accept !== undefined && negotiate(accept, offered) === 'text/event-stream';
}

/**
 * Server-sent events of a long query: `progress` while it runs, then `result`. If the query fails, the stream ends with
 * the error, which cuts the connection.
 */
export class ProgressEvents {
  readonly stream = new Readable({ read() {} });
  /** Fulfilled with the first progress. */
  readonly begun: Promise<void>;
  private begin: () => void = () => {};
  private sent_ms = -Infinity;

  constructor() {
    this.begun = new Promise((resolve) => (this.begin = resolve));
  }

  /** Sends progress, unless it follows too soon or the client has not read the last message. */
  progress(checked_events: number, events_total: number): void {
    this.begin();
    const now = performance.now();
    if (now - this.sent_ms < INTERVAL_MS || this.stream.readableLength > 0) return;
    this.sent_ms = now;
    this.push('progress', { checked_events, events_total });
  }

  /** Sends the last message. */
  finish(result: object): void {
    this.push('result', result);
    this.stream.push(null);
  }

  private push(event: string, data: object): void {
    this.stream.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}
