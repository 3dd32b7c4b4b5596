/** Bounds of signalling; what goes beyond one is refused or closed, never stored. */
export interface SignallingLimits {
  /** Peers in this process. */
  readonly peers_max: number;
  /** Files of one organization that have peers. */
  readonly rooms_max: number;
  /** Peers of one file. */
  readonly room_peers_max: number;
  /** Topics that one peer is subscribed to. */
  readonly topics_max: number;
  /** Messages a second that a peer may go on sending; that many at once, too. */
  readonly messages_per_second: number;
  /** What a peer may leave unread, bytes; beyond it the peer is cut off. */
  readonly unread_bytes: number;
  readonly heartbeat_ms: number;
  /** How long a peer may say nothing. */
  readonly idle_ms: number;
}
