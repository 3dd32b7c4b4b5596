/** Receives the messages of a room. */
interface Listener {
  tell(text: string): void;
}

/** The peers of one file, and who of them listens to what. Topics of one file mean nothing in another. */
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

  /** Relays a message as it came to everybody who listens, its sender included. */
  publish(topic: string, text: string): void {
    for (const peer of this.listeners.get(topic) ?? []) peer.tell(text);
  }

  /** How many topics somebody listens to. */
  get topics(): number {
    return this.listeners.size;
  }
}
