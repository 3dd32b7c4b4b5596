import { setTimeout as after } from 'node:timers/promises';
import type { SupervisedNode } from '../servers/kurrentdb/cluster/cluster.js';
import type { Fault, Measured, Service } from './faults.js';

export const LEADER_KILLED = 'leader killed, stays away';
export const LEADER_FROZEN = 'leader frozen until another serves';
export const MAJORITY_LOST = 'two of three killed, then back';
/** How long the event store is left without a majority, ms: longer than a discovery of the client lasts. */
const NO_MAJORITY_MS = 4_000;

/** Waits for what is to be measured; `elected_ms` is NaN where nobody has to be elected. */
async function measured(service: Service, since_ms: number, elected_ms: number): Promise<Measured> {
  const [answered, ready] = await Promise.all([service.answered(since_ms), service.ready()]);
  return { answered_ms: answered - since_ms, ready_ms: ready - elected_ms };
}

async function kill(nodes: readonly SupervisedNode[]): Promise<number> {
  const since_ms = performance.now();
  await Promise.all(nodes.map((node) => node.kill()));
  return since_ms;
}

/** What goes wrong with the nodes of an event store of three. */
export const NODE_FAULTS: readonly Fault[] = [
  {
    name: LEADER_KILLED,
    of: 'events',
    async strike({ nodes }, _, service) {
      const leader = await nodes.leader();
      const since_ms = await kill([leader]);
      await nodes.leader();
      const figures = await measured(service, since_ms, performance.now());
      await leader.start();
      return figures;
    },
  },
  {
    name: 'follower killed',
    of: 'events',
    async strike({ nodes }, random, service) {
      const follower = random.pick(await nodes.followers());
      const figures = await measured(service, await kill([follower]), NaN);
      await follower.start();
      return figures;
    },
  },
  {
    name: 'leader frozen for 3 to 8 s',
    of: 'events',
    async strike({ nodes }, random, service) {
      const leader = await nodes.leader();
      const since_ms = performance.now();
      leader.freeze();
      const answered = service.answered(since_ms);
      await after(3_000 + random.below(5_000));
      leader.thaw();
      return { answered_ms: (await answered) - since_ms, ready_ms: NaN };
    },
  },
  {
    name: LEADER_FROZEN,
    of: 'events',
    async strike({ nodes }, _, service) {
      const leader = await nodes.leader();
      const since_ms = performance.now();
      leader.freeze();
      const answered = service.answered(since_ms);
      await nodes.leader(leader);
      const elected_ms = performance.now();
      const ready_ms = (await service.ready()) - elected_ms;
      leader.thaw();
      return { answered_ms: (await answered) - since_ms, ready_ms };
    },
  },
  {
    name: MAJORITY_LOST,
    of: 'events',
    async strike({ nodes }, random, service) {
      const leader = await nodes.leader();
      const lost = [leader, random.pick(await nodes.followers())];
      await kill(lost);
      await after(NO_MAJORITY_MS);
      await Promise.all(lost.map((node) => node.start()));
      await nodes.leader();
      const elected_ms = performance.now();
      return measured(service, elected_ms, elected_ms);
    },
  },
  {
    name: 'API process killed',
    of: 'processes',
    async strike({ apis }, random, service) {
      const killed = random.pick(apis);
      const since_ms = performance.now();
      await killed.kill();
      const answered_ms = (await service.answered(since_ms)) - since_ms;
      await killed.start();
      return { answered_ms, ready_ms: NaN };
    },
  },
];
