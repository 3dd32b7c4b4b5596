import type { ServerErrorResponse } from '@grpc/grpc-js';

import type { Endpoint } from '../control.js';
import type { EventLog } from '../event-log.js';
import { notLeader, notReady, uuid } from '../messages.js';
import { EndPoint, MemberInfo } from '../protocol.js';
import type { Writer } from '../writer.js';
import { Member, type MemberOptions, type MemberState } from './member.js';

const HOST = '127.0.0.1';
const { VNodeState } = MemberInfo;
const STATES = {
  unknown: VNodeState.UNKNOWN,
  follower: VNodeState.FOLLOWER,
  preleader: VNodeState.PRELEADER,
  leader: VNodeState.LEADER,
} as const;

/** A server's part in a cluster: what it may answer, and writes that a majority must store first. */
export class ClusterNode implements Writer {
  private readonly member: Member;
  private last_write: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: MemberOptions,
    private readonly log: EventLog,
    deposed: (error: ServerErrorResponse) => void,
  ) {
    this.member = new Member(options, {
      first: () => log.plan(() => log.begin()).records,
      apply: (records) => log.apply(records),
      deposed: () => deposed(this.refusal(true) ?? notReady()),
      truncated: () => process.exit(0),
    });
  }

  start(): Promise<void> {
    return this.member.start();
  }

  close(): void {
    this.member.close();
  }

  get state(): MemberState {
    return this.member.state;
  }

  refusal(requires_leader: boolean): ServerErrorResponse | null {
    const { state, leader } = this.member;
    if (state === 'leader' || (state === 'follower' && !requires_leader)) return null;
    if (state !== 'follower' || leader === null) return notReady();
    return notLeader(this.endpoint(leader));
  }

  /** One write after another: each is decided on what the earlier ones have left. */
  write<T>(write: () => T): Promise<T> {
    const written = this.last_write.then(async () => {
      const { records, result } = this.log.plan(write);
      if (records.length > 0) await this.member.commit(records);
      return result;
    });
    this.last_write = written.catch(() => undefined);
    return written;
  }

  members() {
    const { options, member } = this;
    return options.nodes.map((_, nth) => {
      const { host, port } = this.endpoint(nth);
      const is_alive = member.isAlive(nth);
      let state: keyof typeof STATES = is_alive ? 'follower' : 'unknown';
      if (nth === options.self) ({ state } = member);
      else if (nth === member.leader) state = 'leader';
      return new MemberInfo()
        .setInstanceId(uuid(`8c2d4f3e-7a51-4e86-9a0b-3c1d5e7f9a0${nth}`))
        .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
        .setState(STATES[state])
        .setIsAlive(is_alive)
        .setHttpEndPoint(new EndPoint().setAddress(host).setPort(port));
    });
  }

  private endpoint(nth: number): Endpoint {
    return { host: HOST, port: this.options.nodes[nth]!.port };
  }
}
