/** Receives the messages of a room. */
interface Listener {
  tell(text: string): void;
}

/** The peers of one file and their topic subscriptions. Topics are scoped to the file. */
export class Room<Peer extends Listener> {
  readonly peers = new Set<Peer>();
  private readonly listeners = new Map<string, Set<Peer>>();

  subscribe(peer: Peer, topic: string): void {
    const listeners = this.listeners.get(topic);
    if (listeners) listeners.add(peer);
    else this.listeners.set(topic, new Set([peer]));
  }

  unsubscribe(peer: Peer, topic: string): void {
    const listeners = this.listeners.get(topic);
    if (listeners?.delete(peer) && listeners.size === 0) this.listeners.delete(topic);
  }

  /** Relays a message unchanged to all subscribers, including its sender. */
  publish(topic: string, text: string): void {
    for (const peer of this.listeners.get(topic) ?? []) peer.tell(text);
  }

  /** Number of topics with subscribers. */
  get topics(): number {
    return this.listeners.size;
  }
}
