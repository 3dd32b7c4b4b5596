import { Allowance, countOf } from './allowance.js';
import type { SignallingLimits } from './limits.js';
import { readMessage } from './message.js';
import type { Room } from './room.js';

/** The part of a WebSocket that a peer uses. */
export interface Line {
  /** Bytes queued but not yet transmitted. */
  readonly bufferedAmount: number;
  send(text: string): void;
  ping(): void;
  close(code: number, reason: string): void;
  /** Closes the connection without a close frame. */
  terminate(): void;
}

/** Close codes (RFC 6455, section 7.4.1, and IANA's registry). */
export const CLOSE = {
  normal: 1000,
  going_away: 1001,
  unsupported_data: 1003,
  policy_violation: 1008,
  internal_error: 1011,
  try_again_later: 1013,
} as const;

/** What a peer asks and tells its owner. */
interface Owner {
  /** Checks at every heartbeat that the peer is still allowed in the room. */
  readonly mayStay: () => Promise<boolean>;
  /** Called after so many bytes were sent to the peer. */
  readonly told: (bytes: number) => void;
  /** Called once the peer has left. */
  readonly gone: () => void;
}

/** A connected client in one room. */
export class Peer {
  private readonly topics = new Set<string>();
  private readonly heartbeat: NodeJS.Timeout;
  private readonly silence: NodeJS.Timeout;
  private has_answered = true;
  private is_gone = false;
  private readonly messages: Allowance;

  constructor(
    private readonly room: Room<Peer>,
    private readonly line: Line,
    private readonly limits: SignallingLimits,
    private readonly owner: Owner,
  ) {
    this.messages = new Allowance(limits.messages_per_second);
    this.heartbeat = setInterval(() => void this.beat(), limits.heartbeat_ms).unref();
    this.silence = setTimeout(
      () => this.close(CLOSE.normal, 'signalling.idle'),
      limits.idle_ms,
    ).unref();
    room.peers.add(this);
  }

  /** Handles a received message; null for a binary one, which is invalid. */
  received(text: string | null): void {
    if (this.is_gone) return;
    if (text === null) {
      this.close(CLOSE.unsupported_data, 'signalling.text-only');
      return;
    }
    if (!this.messages.take(countOf(text))) {
      this.close(CLOSE.policy_violation, 'signalling.too-many-messages');
      return;
    }
    this.silence.refresh();
    const message = readMessage(text);
    if ('error' in message) this.complain(message.error);
    else if (message.type === 'ping') this.tell('{"type":"pong"}');
    else if (message.type === 'publish') this.publish(message.topic, text);
    else if (message.type === 'subscribe') this.subscribe(message.topics);
    else this.unsubscribe(message.topics);
  }

  /** Handles the client's answer to the last heartbeat. */
  answered(): void {
    this.has_answered = true;
  }

  /** Sends a text; a peer that does not read is disconnected before its unread texts exhaust the memory. */
  tell(text: string): void {
    if (this.is_gone) return;
    if (this.unread_bytes > this.limits.unread_bytes) return this.cut();
    this.line.send(text);
    this.owner.told(Buffer.byteLength(text));
  }

  get unread_bytes(): number {
    return this.line.bufferedAmount;
  }

  close(code: number, reason: string): void {
    this.leave();
    this.line.close(code, reason);
  }

  /** Removes the peer, whose connection has closed or is closing. */
  leave(): void {
    if (this.is_gone) return;
    this.is_gone = true;
    clearInterval(this.heartbeat);
    clearTimeout(this.silence);
    for (const topic of this.topics) this.room.unsubscribe(this, topic);
    this.room.peers.delete(this);
    this.owner.gone();
  }

  /** Disconnects a peer that does not read. */
  cut(): void {
    this.leave();
    this.line.terminate();
  }

  private async beat(): Promise<void> {
    if (!this.has_answered) {
      this.cut();
      return;
    }
    this.has_answered = false;
    this.line.ping();
    const may_stay = await this.owner.mayStay().catch(() => null);
    if (this.is_gone || may_stay) return;
    if (may_stay === null) this.close(CLOSE.try_again_later, 'server.unavailable');
    else this.close(CLOSE.policy_violation, 'permission.denied');
  }

  private publish(topic: string, text: string): void {
    if (this.room.publish(topic, text)) return;
    const { relayed_per_second: most } = this.limits;
    this.complain(
      `not relayed: an organization's peers receive at most ${most} messages per second`,
    );
  }

  private subscribe(topics: readonly string[]): void {
    const { topics_max } = this.limits;
    for (const topic of topics) {
      if (this.topics.size >= topics_max && !this.topics.has(topic)) {
        this.complain(`at most ${topics_max} topics may be subscribed to at a time`);
        return;
      }
      this.topics.add(topic);
      this.room.subscribe(this, topic);
    }
  }

  private unsubscribe(topics: readonly string[]): void {
    for (const topic of topics) if (this.topics.delete(topic)) this.room.unsubscribe(this, topic);
  }

  private complain(message: string): void {
    this.tell(JSON.stringify({ type: 'error', message }));
  }
}
