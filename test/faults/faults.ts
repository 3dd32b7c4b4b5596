import { setTimeout as after } from 'node:timers/promises';
import type { Random } from '../bench/harness/random.js';
import type { Cluster, Supervised } from './cluster.js';

/** Something that goes wrong. Resolves when it is over and everything runs again. */
export interface Fault {
  readonly name: string;
  /** Whom it befalls: two at one time never befall the same. */
  readonly of: 'events' | 'processes';
  strike(cluster: Cluster, random: Random, service: Service): Promise<Measured | void>;
}

/** What a fault can ask of the service while it lasts; moments and times in ms. */
export interface Service {
  /** When the first command was acknowledged that was sent after a moment. */
  answered(since_ms: number): Promise<number>;
  /** When every API process was ready and showed all that had been acknowledged at the call. */
  ready(): Promise<number>;
}

/** Of a fault that is measured while it lasts, in ms. */
export interface Measured {
  /** From the fault, or from its end, to the first acknowledgement. */
  readonly answered_ms: number;
  /** From the election of a leader until all API processes are ready and show everything; NaN without an election. */
  readonly ready_ms: number;
}

/** A time from 0.5 s to below that, ms. */
const aWhile = (random: Random, up_to_ms: number): Promise<void> =>
  after(500 + random.below(up_to_ms - 500));

/** Processes killed together, and started again within a time (ms). */
function killed(
  name: string,
  down_ms: number,
  whom: (cluster: Cluster, random: Random) => readonly Supervised[],
): Fault {
  return {
    name,
    of: 'processes',
    async strike(cluster, random) {
      const all = whom(cluster, random);
      await Promise.all(all.map((one) => one.kill()));
      await after(random.below(down_ms));
      await Promise.all(all.map((one) => one.start()));
    },
  };
}

function dropped(name: string, appends: 'stored' | 'lost'): Fault {
  return {
    name,
    of: 'events',
    async strike({ kurrent: { control } }, random) {
      await control.dropAppends(1 + random.below(5), appends);
      await aWhile(random, 1500);
      await control.dropAppends(0, appends);
    },
  };
}

const FAULTS: readonly Fault[] = [
  killed('API process killed', 1000, ({ apis }, random) => [random.pick(apis)]),
  killed('worker killed', 3000, ({ workers }, random) => [random.pick(workers)]),
  killed('both workers killed', 0, ({ workers }) => workers),
  killed('both API processes killed', 0, ({ apis }) => apis),
  dropped('connections dropped after appends were stored', 'stored'),
  dropped('connections dropped, appends lost', 'lost'),
  {
    name: 'event store frozen',
    of: 'events',
    async strike({ kurrent: { control } }, random) {
      await control.freeze();
      await aWhile(random, 5000);
      await control.thaw();
    },
  },
  {
    name: 'event store killed and restarted',
    of: 'events',
    async strike(cluster, random) {
      await cluster.kurrent.kill();
      await after(random.below(1500));
      await cluster.startKurrent();
    },
  },
  {
    name: 'appends refused with NotLeader',
    of: 'events',
    async strike({ kurrent: { control } }, random) {
      await control.refuseAppends(1 + random.below(20));
      await aWhile(random, 1500);
      await control.refuseAppends(0);
    },
  },
  {
    name: 'checkpoints ahead of events',
    of: 'events',
    async strike({ kurrent: { control } }, random) {
      await control.sendCheckpointsAhead(true);
      await control.failSubscriptions();
      await aWhile(random, 3000);
      await control.sendCheckpointsAhead(false);
    },
  },
  {
    name: 'subscriptions ended amid events',
    of: 'events',
    async strike({ kurrent: { control } }, random) {
      await control.failSubscriptions(1 + random.below(40));
      await aWhile(random, 1500);
      await control.dropConnections();
    },
  },
];

/** Faults in random order, each before any comes again; as often as told (0 to 1) two at one time. */
export function* inTurn(
  random: Random,
  faults = FAULTS,
  together = 0.25,
): Generator<readonly Fault[]> {
  for (;;) {
    const left = [...faults];
    while (left.length > 0) {
      const [first] = left.splice(random.below(left.length), 1);
      const others = faults.filter((one) => one.of !== first!.of);
      yield others.length > 0 && random.next() < together
        ? [first!, random.pick(others)]
        : [first!];
    }
  }
}
