import * as fc from 'fast-check';
import { isRefused, type Outcome } from '../../libs/engine/call.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { manySteps } from './random-commands.js';
import { besides, check, RandomDrive } from './support.js';

describe('any command tried out first', () => {
  it('changes nothing when tried, and then does what it said', async () => {
    let accepted = 0;
    await check(
      fc.asyncProperty(manySteps, async (steps) => {
        const random = await RandomDrive.start();
        const { spec } = random;
        const drive = await random.drive();
        const keys = async () => [...(await spec.side.keys.all(DRIVE_A)).keys()];
        for (const [at, step] of steps.entries()) {
          const planned = random.planner.plan(step, drive.state, spec.now);
          // Everything is looked at now and then; what a slip would most likely leave, each time.
          const look = async () => ({
            head: drive.head,
            revision: drive.state.revision,
            unsaved: drive.keyring.unsaved,
            ...(at % 10 === 0 && {
              hash: drive.folded.hash.root(),
              besides: besides(drive.state),
              keys: await keys(),
            }),
          });
          const before = await look();
          const tried = await random.send(planned, { dry_run: true });
          expect(await look()).toEqual(before);
          const done = await random.send({ ...planned, after_ms: 0 });
          expect(done).toEqual(asDone(tried));
          if (!isRefused(done)) accepted++;
        }
        const stored = await spec.events.readStream(`drive-${DRIVE_A}`, 0, 'forward', 100_000);
        expect(drive.head.revision).toBe(stored.length - 1);
        expect(drive.folded.hash.root()).toBe((await spec.folded()).hash.root());
      }),
      'dry runs',
    );
    expect(accepted).toBeGreaterThan(0);
  }, 300_000);
});

/** What a tried command answers once it is done. */
function asDone(tried: Outcome<unknown>): Outcome<unknown> {
  if (isRefused(tried)) return tried;
  const { data, revision, dry_run } = tried;
  return { data, revision: revision + dry_run!.length };
}
