/** Limits of signalling. Requests above a limit are refused, or their connection is closed. */
export interface SignallingLimits {
  /** Peers in this process. */
  readonly peers_max: number;
  /** Files with peers, in one organization. */
  readonly rooms_max: number;
  /** Peers of one file. */
  readonly room_peers_max: number;
  /** Topic subscriptions of one peer. */
  readonly topics_max: number;
  /** Sustained messages per second of one peer; also the size of a burst. */
  readonly messages_per_second: number;
  /** Sustained messages per second that are relayed to the peers of one organization; also the size of a burst. */
  readonly relayed_per_second: number;
  /** Maximum unread bytes of one peer; a peer above it is disconnected. */
  readonly unread_bytes: number;
  /** Maximum unread bytes of all peers; above it, those with the most are disconnected. */
  readonly all_unread_bytes: number;
  readonly heartbeat_ms: number;
  /** Maximum time without a message from a peer. */
  readonly idle_ms: number;
}
