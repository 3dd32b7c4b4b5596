import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Handles the requests of a connection in turn. Node.js starts all requests that arrive in one chunk, and would hold
 * their responses in memory until the client reads. A connection with too many waiting requests is closed, which HTTP
 * allows (RFC 9112, 9.3.2).
 */
export class Pipelining {
  private readonly waiting = new WeakMap<Socket, number>();

  /**
   * @param most_waiting requests of one connection
   * @param closed called for every connection that is closed
   */
  constructor(
    private readonly most_waiting: number,
    private readonly closed: () => void,
  ) {}

  /** Proceeds with a request once the earlier responses of its connection have been sent. */
  inTurn({ socket }: IncomingMessage, response: ServerResponse, proceed: () => void): void {
    const { waiting } = this;
    // Node.js assigns the connection to one response at a time.
    if (response.socket) {
      proceed();
      return;
    }
    const count = waiting.get(socket) ?? 0;
    if (count >= this.most_waiting) {
      // Further requests of the same chunk arrive here, too.
      if (!socket.destroyed) this.closed();
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
}
