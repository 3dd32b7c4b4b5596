import type { ServerResponse } from 'node:http';
import { UnreadBytes } from '../../../libs/application/unread-bytes.js';

interface UnreadResponse {
  readonly response: ServerResponse;
  readonly bytes: number;
}

/** Bounds the bytes of all responses that their clients have not read, and the time without progress of each. */
export class UnreadResponses {
  private readonly unread = new Set<UnreadResponse>();
  private readonly all = new UnreadBytes(this.unread, {
    bytesOf: ({ bytes }) => bytes,
    cut: ({ response }) => {
      this.closed();
      response.destroy();
    },
  });

  /**
   * @param most_bytes of all responses; above it, connections of those with the most are closed
   * @param stall_ms time without progress after which a response is given up with its connection
   * @param closed called for every connection that is closed for its unread bytes
   */
  constructor(
    private readonly most_bytes: number,
    private readonly stall_ms: number,
    private readonly closed: () => void = () => {},
  ) {}

  /** Counts a response that was just sent, unless the system has taken all of it. */
  sent(response: ServerResponse, body: unknown): void {
    const { socket } = response;
    if (!socket?.writableLength) return;
    // Node.js ends a connection whose timer runs out without progress, and has its own timer between requests.
    socket.setTimeout(this.stall_ms);
    // Held until the last byte is taken. Node.js counts the characters of a text.
    const bytes = typeof body === 'string' ? Buffer.byteLength(body) : socket.writableLength;
    const unread = { response, bytes };
    this.unread.add(unread);
    response.once('close', () => this.unread.delete(unread));
    this.all.pushed(bytes, this.most_bytes);
  }
}
