import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

interface Served {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Times what this process serves from now on: from a request's head to the last byte of its answer
 * that went out to the socket.
 * @returns gives the times since it was last asked, ms
 */
export function timeServed(): () => number[] {
  const began = new WeakMap<IncomingMessage, number>();
  let taken_ms: number[] = [];
  subscribe('http.server.request.start', (message) => {
    began.set((message as Served).request, performance.now());
  });
  subscribe('http.server.response.finish', (message) => {
    const started = began.get((message as Served).request);
    if (started !== undefined) taken_ms.push(performance.now() - started);
  });
  return () => {
    const given = taken_ms;
    taken_ms = [];
    return given;
  };
}
