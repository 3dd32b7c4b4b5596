import { DRIVE_A as DRIVE, EngineSpec, PEER } from '../testing/engine.js';
import { eventually } from '../testing/eventually.js';
import { hooked, Receivers, webhooksOf } from '../testing/webhooks.js';
import type { Webhooks } from './webhooks.js';

const A = 'https://a.example/';

/** Each value once, in the order of first appearance. */
const firsts = (values: readonly number[]): number[] => [...new Set(values)];

/** A receiver that notices when it is called while it still answers. */
class WatchfulReceivers extends Receivers {
  most_at_once = 0;
  private at_once = 0;

  override async send(request: Parameters<Receivers['send']>[0]) {
    this.most_at_once = Math.max(this.most_at_once, ++this.at_once);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    this.at_once -= 1;
    return super.send(request);
  }
}

describe('webhooks of several processes on shared stores', () => {
  let processes: EngineSpec[];
  let webhooks: Webhooks[];
  let receivers: WatchfulReceivers;

  beforeEach(async () => {
    receivers = new WatchfulReceivers();
    const one = new EngineSpec({ role: PEER });
    await one.drives.start();
    processes = [one, await one.beside(), await one.beside()];
    webhooks = processes.map((spec) => webhooksOf(spec, receivers));
    for (const each of webhooks) await each.start();
    await one.spawn();
  });
  afterEach(async () => {
    for (const each of webhooks) await each.close();
    for (const { drives } of processes) await drives.close();
  });

  const revisionsAtA = (): number[] =>
    receivers.at(A).map((body) => body.payload.after.data.revision as number);

  it('tell of each event once, in order, one at a time, whoever writes and whoever sends', async () => {
    const [one, ...others] = processes;
    await hooked(one!, A);
    const before = (await one!.drives.open(DRIVE)).state.revision;
    for (let round = 0; round < 10; round++)
      for (const spec of [one!, ...others]) {
        await spec.note();
        // Each looks for what is due, as by its own timer.
        for (const each of webhooks) each.wake();
      }
    const expected = Array.from({ length: 30 }, (_, at) => before + 1 + at);
    await eventually(async () => revisionsAtA().length >= expected.length);
    for (const each of webhooks) await each.idle();
    expect(revisionsAtA().filter((revision) => revision > before)).toEqual(expected);
    expect(firsts(revisionsAtA())).toEqual(revisionsAtA());
    expect(receivers.most_at_once).toBe(1);
  });
});
