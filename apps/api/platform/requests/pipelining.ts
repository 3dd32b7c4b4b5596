import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum waiting requests of one connection. */
const MAX_WAITING = 16;

const waiting = new WeakMap<Socket, number>();

/**
 * Proceeds with a request once the earlier responses of its connection have been sent. Node.js starts all requests that
 * arrive in one chunk, and would hold their responses in memory until the client reads. A connection with too many
 * waiting requests is closed, which HTTP allows (RFC 9112, 9.3.2).
 */
export function inTurn(
  { socket }: IncomingMessage,
  response: ServerResponse,
  proceed: () => void,
): void {
  // Node.js assigns the connection to one response at a time.
  if (response.socket) {
    proceed();
    return;
  }
  const count = waiting.get(socket) ?? 0;
  if (count >= MAX_WAITING) {
    socket.destroy();
    return;
  }
  waiting.set(socket, count + 1);
  response.once('socket', () => {
    waiting.set(socket, waiting.get(socket)! - 1);
    // Ends the timer of the response before.
    socket.setTimeout(0);
    // Node.js emits the event within the assignment.
    process.nextTick(proceed);
  });
}
