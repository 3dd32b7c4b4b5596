import type { ServerErrorResponse } from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Endpoint } from './control.js';
import { notLeader } from './messages.js';

/** The misbehaviour asked for, as the handlers of calls look at it. */
export class Faults {
  delay_ms = 0;
  checkpoints_ahead = false;
  #drops: { count: number; events: 'stored' | 'lost' } = { count: 0, events: 'stored' };
  #refusals: { count: number; leader: Endpoint } = { count: 0, leader: { host: '', port: 0 } };
  #deliveries_until_failure = Infinity;

  dropAppends(count: number, events: 'stored' | 'lost'): void {
    this.#drops = { count, events };
  }

  refuseAppends(count: number, leader: Endpoint): void {
    this.#refusals = { count, leader };
  }

  failSubscriptionAfter(events: number): void {
    this.#deliveries_until_failure = events;
  }

  async delay(): Promise<void> {
    if (this.delay_ms > 0) await sleep(this.delay_ms, undefined, { ref: false });
  }

  /** What is to happen to an append that has just arrived. */
  appendArrives(): ServerErrorResponse | 'drop-stored' | 'drop-lost' | null {
    if (this.#refusals.count > 0) {
      this.#refusals.count -= 1;
      return notLeader(this.#refusals.leader);
    }
    if (this.#drops.count > 0) {
      this.#drops.count -= 1;
      return this.#drops.events === 'stored' ? 'drop-stored' : 'drop-lost';
    }
    return null;
  }

  /** Counts a delivered event; true if its subscription fails now. */
  subscriptionFails(): boolean {
    this.#deliveries_until_failure -= 1;
    if (this.#deliveries_until_failure > 0) return false;
    this.#deliveries_until_failure = Infinity;
    return true;
  }
}
