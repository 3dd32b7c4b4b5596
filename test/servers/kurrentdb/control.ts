import type { MemberState } from './cluster/member.js';

/** What a test may make the server do wrong. All numbers count from the moment of the call. */
export interface KurrentControl {
  /** Every answer waits this long after its work is done, until set to 0 again. */
  delayAnswers(ms: number): Promise<void>;

  /**
   * Appends take this long from being stored to their answer. A repetition that arrives meanwhile is dropped, and
   * answered `deadline-exceeded` after the commit time-out. With 0, the default, that is one turn of the event loop.
   */
  delayIndex(ms: number): Promise<void>;

  /**
   * The next appends end with all connections dropped and no answer: with `stored` the events are in the log,
   * with `lost` they are not. The client cannot tell which.
   */
  dropAppends(count: number, events: 'stored' | 'lost'): Promise<void>;

  /** The next appends are refused as a follower does, naming a leader (by default this server itself). */
  refuseAppends(count: number, leader?: Endpoint): Promise<void>;

  /** Connections are accepted and kept, but not a byte is read or written: not even keepalive is answered. */
  freeze(): Promise<void>;
  /** Ends `freeze`: what clients have sent meanwhile is handled. */
  thaw(): Promise<void>;

  /** Filtered subscriptions tell the position of the last stored event before they deliver what lies below. */
  sendCheckpointsAhead(on: boolean): Promise<void>;

  /**
   * Subscriptions fail with UNAVAILABLE: all of them at once, or the one that has delivered the n-th event.
   * A subscription opened afterwards works.
   */
  failSubscriptions(after_events?: number): Promise<void>;

  /** Closes all connections; new ones are accepted. */
  dropConnections(): Promise<void>;

  /** Closes all connections and the port; the log stays. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  start(): Promise<void>;

  /** Deletes a stream softly: it is not found, NO_STREAM succeeds again, and revisions count on. */
  softDelete(stream: string): Promise<void>;
  /** Hides the events below a revision, as a scavenge may have removed them. */
  truncate(stream: string, first_revision: number): Promise<void>;

  /** Of a user that the server was started with. */
  setPassword(login: string, password: string): Promise<void>;

  /** What the server is among the others of its cluster; alone it leads. */
  memberState(): Promise<MemberState>;

  /** What clients have asked for since the start, and what they hold open. */
  statistics(): Promise<Statistics>;
}

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface Statistics {
  /** Appends that reached the server, answered or not, unary and batch. */
  readonly appends: number;
  readonly reads: number;
  /** Subscriptions ever opened. */
  readonly subscriptions: number;
  readonly open_subscriptions: number;
  readonly open_connections: number;
}

/** The names of all controls, for those who call them from another process. */
export const CONTROLS = [
  'delayAnswers',
  'delayIndex',
  'dropAppends',
  'refuseAppends',
  'freeze',
  'thaw',
  'sendCheckpointsAhead',
  'failSubscriptions',
  'dropConnections',
  'stop',
  'start',
  'softDelete',
  'truncate',
  'setPassword',
  'memberState',
  'statistics',
] as const satisfies readonly (keyof KurrentControl)[];
