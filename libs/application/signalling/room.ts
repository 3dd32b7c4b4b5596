import { type Allowance, countOf } from './allowance.js';

interface Listener {
  tell(text: string): void;
}

/** The peers of one file and their topic subscriptions. Topics are scoped to the file. */
export class Room<Peer extends Listener> {
  readonly peers = new Set<Peer>();
  private readonly listeners = new Map<string, Set<Peer>>();

  /** @param relayed the messages that peers of the organization may receive */
  constructor(private readonly relayed: Allowance) {}

  subscribe(peer: Peer, topic: string): void {
    const listeners = this.listeners.get(topic);
    if (listeners) listeners.add(peer);
    else this.listeners.set(topic, new Set([peer]));
  }

  unsubscribe(peer: Peer, topic: string): void {
    const listeners = this.listeners.get(topic);
    if (listeners?.delete(peer) && listeners.size === 0) this.listeners.delete(topic);
  }

  /** Relays a message unchanged to all subscribers, including its sender; false if they may not receive it now. */
  publish(topic: string, text: string): boolean {
    const listeners = this.listeners.get(topic);
    if (!listeners) return true;
    if (!this.relayed.take(listeners.size * countOf(text))) return false;
    for (const peer of listeners) peer.tell(text);
    return true;
  }

  get topics(): number {
    return this.listeners.size;
  }
}
