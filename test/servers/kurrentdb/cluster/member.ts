import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { LogRecord } from '../event-log.js';
import { NotLeading } from '../writer.js';
import { Peer, servePeers } from './peer.js';
import { fromPlain, type PlainEntry, ReplicaLog, toPlain } from './replica-log.js';

/** From and to, in ms; each wait is a random time between. */
export type Range = readonly [number, number];

export interface MemberOptions {
  /** Of all nodes, in the same order everywhere. */
  readonly nodes: readonly { readonly port: number; readonly peer_port: number }[];
  /** Which of them this one is. */
  readonly self: number;
  readonly file: string;
  /** When an election begins after the leader's connections ended. */
  readonly election_ms: Range;
  /** When one begins after the leader fell silent, or after it lost its majority. */
  readonly silence_ms: Range;
  /** How long a leader that was deposed while it was frozen goes on answering reads. */
  readonly stale_ms: number;
}

export type MemberState = 'unknown' | 'follower' | 'preleader' | 'leader';

/** What the node does with its log; called by its member. */
export interface Replicated {
  /** What an empty log begins with. */
  first(): readonly LogRecord[];
  /** A majority has stored them. */
  apply(records: readonly LogRecord[]): void;
  /** This node leads no more. */
  deposed(): void;
  /** The log was cut behind this node's back: the process ends with code 0, to be started again. */
  truncated(): void;
}

interface AppendEntries {
  readonly kind: 'entries';
  readonly epoch: number;
  readonly leader: number;
  readonly before: number;
  readonly epoch_before: number;
  readonly entries: readonly PlainEntry[];
  readonly committed: number;
  /** Nodes that the leader hears of. */
  readonly alive: readonly number[];
}

interface Canvass {
  readonly kind: 'canvass';
  /** Only asks whether it would be elected. */
  readonly is_trial: boolean;
  readonly epoch: number;
  readonly candidate: number;
  readonly length: number;
  readonly last_epoch: number;
}

interface EntriesAnswer {
  readonly epoch: number;
  readonly is_stored: boolean;
  /** Up to where this node's entries may be those of the leader. */
  readonly length: number;
}

interface CanvassAnswer {
  readonly epoch: number;
  readonly is_granted: boolean;
}

const HEARTBEAT_MS = 100;
const ENTRIES_AT_ONCE = 200;

/**
 * One node's part in a replicated log, after Raft: a leader is elected by a majority, an entry is committed once a
 * majority has stored it, and nobody is elected who lacks a committed entry.
 */
export class Member {
  readonly #log: ReplicaLog;
  readonly #peers: ReadonlyMap<number, Peer>;
  readonly #majority: number;
  #epoch: number;
  #voted_for: number | null;
  #role: 'follower' | 'candidate' | 'leader' = 'follower';
  #leader: number | null = null;
  #leader_connection: object | null = null;
  #leader_heard_ms = -Infinity;
  #committed = 0;
  /** Of a leader: its first entry. Once it is committed, so is every earlier one. */
  #first_own = 0;
  #stale_until_ms = -Infinity;
  #alive: readonly number[] = [];
  readonly #heard_ms = new Map<number, number>();
  readonly #stored = new Map<number, number>();
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #more = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;
  #server: Server | undefined;
  #is_closed = false;

  constructor(
    private readonly options: MemberOptions,
    private readonly replicated: Replicated,
  ) {
    const { nodes, self, file } = options;
    this.#log = new ReplicaLog(file);
    ({ epoch: this.#epoch, voted_for: this.#voted_for } = this.#log.readBallot());
    const others = nodes.flatMap(({ peer_port }, nth) =>
      nth === self ? [] : [[nth, new Peer(peer_port)] as const],
    );
    this.#peers = new Map(others);
    this.#majority = Math.floor(nodes.length / 2) + 1;
  }

  async start(): Promise<void> {
    const { nodes, self, election_ms } = this.options;
    this.#server = await servePeers(
      nodes[self]!.peer_port,
      (message, connection) => this.#answer(message as AppendEntries | Canvass, connection),
      (connection) => this.#closed(connection),
    );
    this.#electAfter(election_ms);
  }

  close(): void {
    this.#is_closed = true;
    clearTimeout(this.#timer);
    this.#server?.close();
    for (const peer of this.#peers.values()) peer.close();
    this.#more.resolve();
    this.#log.close();
  }

  get epoch(): number {
    return this.#epoch;
  }

  get leader(): number | null {
    return this.#role === 'leader' && !this.#leads ? null : this.#leader;
  }

  get state(): MemberState {
    if (this.#leads || this.is_stale) return 'leader';
    if (this.#role === 'leader') return 'preleader';
    return this.#leader === null ? 'unknown' : 'follower';
  }

  /** Was deposed while it was frozen, and has not understood it yet. */
  get is_stale(): boolean {
    return performance.now() < this.#stale_until_ms;
  }

  /** What this node takes for running. */
  isAlive(node: number): boolean {
    if (node === this.options.self || node === this.#leader) return true;
    return (this.#role === 'leader' ? this.#following() : this.#alive).includes(node);
  }

  /**
   * Resolves once a majority has stored the records and this node shows them.
   * @throws NotLeading
   */
  commit(records: readonly LogRecord[]): Promise<void> {
    if (!this.#leads) throw new NotLeading();
    return this.#propose(records);
  }

  get #leads(): boolean {
    return this.#role === 'leader' && this.#committed > this.#first_own;
  }

  #propose(records: readonly LogRecord[]): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    this.#waiting.set(this.#log.length, waiting);
    this.#log.append({ epoch: this.#epoch, records });
    this.#more.resolve();
    this.#more = Promise.withResolvers();
    return waiting.promise;
  }

  #answer(message: AppendEntries | Canvass, connection: object): EntriesAnswer | CanvassAnswer {
    return message.kind === 'entries' ? this.#store(message, connection) : this.#vote(message);
  }

  #store(message: AppendEntries, connection: object): EntriesAnswer {
    const { before, entries } = message;
    const refused = (length: number) => ({ epoch: this.#epoch, is_stored: false, length });
    if (message.epoch < this.#epoch) return refused(before);
    if (message.epoch > this.#epoch || this.#role !== 'follower') this.#follow(message.epoch);
    this.#leader = message.leader;
    this.#leader_connection = connection;
    this.#leader_heard_ms = performance.now();
    this.#alive = message.alive;
    this.#electAfter(this.options.silence_ms);
    if (before > this.#log.length) return refused(this.#log.length);
    if (this.#log.epochBefore(before) !== message.epoch_before) {
      this.#cut(before - 1);
      return refused(before - 1);
    }
    for (const [offset, plain] of entries.entries()) {
      const at = before + offset;
      if (at < this.#log.length && this.#log.epochBefore(at + 1) !== plain.epoch) this.#cut(at);
      if (at >= this.#log.length) this.#log.append(fromPlain(plain));
    }
    const length = before + entries.length;
    // The next message tells it again.
    if (!this.is_stale) this.#commitUpTo(Math.min(message.committed, length));
    return { epoch: this.#epoch, is_stored: true, length };
  }

  /** What an earlier leader stored here alone is not what the majority has. */
  #cut(length: number): void {
    if (length < this.#committed) throw new Error('a committed entry would be lost');
    this.#log.truncate(length);
    this.replicated.truncated();
  }

  #vote(message: Canvass): CanvassAnswer {
    const last_epoch = this.#log.epochBefore(this.#log.length);
    const has_all =
      message.last_epoch > last_epoch ||
      (message.last_epoch === last_epoch && message.length >= this.#log.length);
    if (message.is_trial) {
      const is_granted = has_all && message.epoch > this.#epoch && !this.#hearsLeader();
      return { epoch: this.#epoch, is_granted };
    }
    if (message.epoch > this.#epoch) this.#follow(message.epoch);
    const is_free = this.#voted_for === null || this.#voted_for === message.candidate;
    const is_granted = has_all && is_free && message.epoch === this.#epoch;
    if (is_granted) {
      this.#ballot(this.#epoch, message.candidate);
      this.#electAfter(this.options.election_ms);
    }
    return { epoch: this.#epoch, is_granted };
  }

  #hearsLeader(): boolean {
    if (this.#role === 'leader') return true;
    const silent_ms = performance.now() - this.#leader_heard_ms;
    return this.#leader !== null && silent_ms < this.options.silence_ms[0] / 2;
  }

  #ballot(epoch: number, voted_for: number | null): void {
    this.#epoch = epoch;
    this.#voted_for = voted_for;
    this.#log.writeBallot({ epoch, voted_for });
  }

  /** Follows whoever is elected in an epoch. */
  #follow(epoch: number): void {
    const led = this.#leads;
    if (epoch > this.#epoch) this.#ballot(epoch, null);
    this.#role = 'follower';
    this.#leader = null;
    for (const { reject } of this.#waiting.values()) reject(new NotLeading());
    this.#waiting.clear();
    this.#more.resolve();
    if (!led) return;
    this.#stale_until_ms = performance.now() + this.options.stale_ms;
    setTimeout(() => this.replicated.deposed(), this.options.stale_ms).unref();
  }

  #closed(connection: object): void {
    if (connection !== this.#leader_connection || this.#is_closed) return;
    this.#leader_connection = null;
    if (this.#role !== 'follower') return;
    this.#leader = null;
    this.#electAfter(this.options.election_ms);
  }

  #electAfter([from_ms, to_ms]: Range): void {
    clearTimeout(this.#timer);
    if (this.#is_closed) return;
    const wait_ms = from_ms + Math.random() * (to_ms - from_ms);
    this.#timer = setTimeout(() => void this.#standForElection(), wait_ms);
  }

  async #standForElection(): Promise<void> {
    this.#electAfter(this.options.election_ms);
    this.#leader = null;
    const epoch = this.#epoch;
    if (!(await this.#canvass(true, epoch + 1)) || this.#epoch !== epoch || this.#leader !== null)
      return;
    this.#ballot(epoch + 1, this.options.self);
    this.#role = 'candidate';
    if (!(await this.#canvass(false, epoch + 1))) return;
    if (this.#epoch === epoch + 1 && this.#role === 'candidate') this.#lead();
  }

  /** Whether a majority would elect, or elects. */
  #canvass(is_trial: boolean, epoch: number): Promise<boolean> {
    const message: Canvass = {
      kind: 'canvass',
      ...{ is_trial, epoch, candidate: this.options.self, length: this.#log.length },
      last_epoch: this.#log.epochBefore(this.#log.length),
    };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let votes = 1;
    const answers = [...this.#peers.values()].map(async (peer) => {
      const answer = await peer.ask<CanvassAnswer>(message).catch(() => null);
      if (answer && answer.epoch > this.#epoch) this.#follow(answer.epoch);
      if (answer?.is_granted) votes += 1;
      if (votes >= this.#majority) resolve(true);
    });
    void Promise.all(answers).then(() => resolve(false));
    return promise;
  }

  #lead(): void {
    clearTimeout(this.#timer);
    this.#role = 'leader';
    this.#leader = this.options.self;
    this.#stale_until_ms = -Infinity;
    this.#first_own = this.#log.length;
    const now = performance.now();
    for (const nth of this.#peers.keys()) {
      this.#heard_ms.set(nth, now);
      this.#stored.set(nth, 0);
    }
    // Only its own entries are committed by counting; they take the earlier ones along.
    this.#propose(this.#log.length === 0 ? this.replicated.first() : []).catch(() => undefined);
    for (const [nth, peer] of this.#peers) void this.#replicate(nth, peer, this.#epoch);
    void this.#watchMajority(this.#epoch);
  }

  #leadsIn(epoch: number): boolean {
    return !this.#is_closed && this.#role === 'leader' && this.#epoch === epoch;
  }

  async #replicate(nth: number, peer: Peer, epoch: number): Promise<void> {
    let next = this.#log.length - 1;
    let told_committed = -1;
    while (this.#leadsIn(epoch)) {
      const committed = this.#committed;
      const message: AppendEntries = {
        kind: 'entries',
        ...{ epoch, leader: this.options.self, before: next },
        epoch_before: this.#log.epochBefore(next),
        entries: this.#log.slice(next, next + ENTRIES_AT_ONCE).map(toPlain),
        ...{ committed, alive: this.#following() },
      };
      const answer = await peer.ask<EntriesAnswer>(message).catch(() => null);
      if (!this.#leadsIn(epoch)) return;
      if (!answer) {
        this.#heard_ms.set(nth, -Infinity);
        await sleep(HEARTBEAT_MS, undefined, { ref: false });
        continue;
      }
      if (answer.epoch > epoch) {
        this.#follow(answer.epoch);
        this.#electAfter(this.options.election_ms);
        return;
      }
      this.#heard_ms.set(nth, performance.now());
      next = answer.is_stored ? answer.length : Math.min(next - 1, answer.length);
      if (!answer.is_stored) continue;
      told_committed = committed;
      this.#stored.set(nth, answer.length);
      this.#count();
      const nothing_new = next === this.#log.length && told_committed === this.#committed;
      if (nothing_new)
        await Promise.race([this.#more.promise, sleep(HEARTBEAT_MS, undefined, { ref: false })]);
    }
  }

  #count(): void {
    const stored = [this.#log.length, ...this.#stored.values()].toSorted((a, b) => b - a);
    const by_majority = stored[this.#majority - 1]!;
    if (this.#log.epochBefore(by_majority) === this.#epoch) this.#commitUpTo(by_majority);
  }

  #commitUpTo(length: number): void {
    if (length <= this.#committed) return;
    const from = this.#committed;
    this.#committed = length;
    for (const [offset, { records }] of this.#log.slice(from, length).entries()) {
      this.replicated.apply(records);
      this.#waiting.get(from + offset)?.resolve();
      this.#waiting.delete(from + offset);
    }
  }

  /** Followers that have answered lately. */
  #following(): number[] {
    const since = performance.now() - this.options.silence_ms[0];
    return [...this.#heard_ms].filter(([, heard_ms]) => heard_ms > since).map(([nth]) => nth);
  }

  /** A leader that hears of no majority resigns. */
  async #watchMajority(epoch: number): Promise<void> {
    let looked_ms = performance.now();
    while (this.#leadsIn(epoch)) {
      await sleep(HEARTBEAT_MS, undefined, { ref: false });
      const now = performance.now();
      const was_frozen = now - looked_ms > this.options.silence_ms[0] / 2;
      looked_ms = now;
      // What the others have sent meanwhile comes first.
      if (was_frozen) for (const nth of this.#heard_ms.keys()) this.#heard_ms.set(nth, now);
      if (!this.#leadsIn(epoch) || this.#following().length + 1 >= this.#majority) continue;
      this.#follow(epoch);
      this.#stale_until_ms = -Infinity;
      this.replicated.deposed();
      this.#electAfter(this.options.silence_ms);
    }
  }
}
