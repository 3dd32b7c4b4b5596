import { Sweeps } from '../../../libs/application/sweeps.js';
import { repeatFrom } from '../../support/seeded.js';
import { TestService } from '../../support/service.js';
import { Random } from './random.js';
import { type Clock, Mismatch, outcomes, Session } from './session.js';
import { plantTree, runStep } from './steps.js';

/**
 * The running service against a model made from the contract alone. `DIRECTORY_SEED` is the first seed, `DIRECTORY_RUNS`
 * the number of sequences, `DIRECTORY_STEPS` their length.
 */
const FIRST = Number(process.env.DIRECTORY_SEED ?? 1);
const RUNS = Number(process.env.DIRECTORY_RUNS ?? 30);
const STEPS = Number(process.env.DIRECTORY_STEPS ?? 50);
const START_MS = Date.UTC(2030, 0, 1);

describe('directory compared with a model of the contract', () => {
  const clock: Clock = { now: START_MS };
  let service: TestService;

  beforeAll(async () => {
    repeatFrom(`directory ${FIRST}`);
    service = await TestService.start(
      {},
      {
        clock: () => clock.now,
        // Sweeps come only when a step asks for one, not by the real clock.
        prepare: (app) => Object.assign(app.get(Sweeps).expired_items, { start: () => undefined }),
      },
    );
  });
  afterAll(() => service.stop());

  /** The first difference of a sequence, null if there is none. */
  const run = async (steps: readonly number[]): Promise<Mismatch | null> => {
    const session = await Session.open(service, clock);
    try {
      await plantTree(session, steps[0]!);
      for (const step of steps) {
        await runStep(session, step);
        session.steps++;
      }
      return null;
    } catch (error) {
      if (error instanceof Mismatch) return error;
      return new Mismatch(String(error), session.log, session.steps);
    }
  };

  /** Leaves out steps as long as a difference remains. */
  const shrink = async (steps: readonly number[]): Promise<readonly number[]> => {
    let least = steps;
    for (let size = least.length >> 1; size > 0; size >>= 1)
      for (let from = 0; from < least.length;) {
        const fewer = [...least.slice(0, from), ...least.slice(from + size)];
        if (await run(fewer)) least = fewer;
        else from += size;
      }
    return least;
  };

  const expectNoDifference = async (seed: number): Promise<void> => {
    const random = new Random(seed);
    const steps = Array.from({ length: STEPS }, () => random.below(2 ** 31));
    const found = await run(steps);
    if (!found) return;
    const least = await shrink(steps.slice(0, found.step + 1));
    const { what, log } = (await run(least)) ?? found;
    throw new Error(`DIRECTORY_SEED=${seed}: ${what}\n${log.join('\n')}`);
  };

  it.each(Array.from({ length: RUNS }, (_, index) => FIRST + index))(
    'finds no difference with seed %i',
    (seed) => expectNoDifference(seed),
  );

  it('has asked for every action with and without success', () => {
    if (process.env.DIRECTORY_OUTCOMES) console.log([...outcomes].sort().join('\n'));
    const verbs = ['GET', 'CREATE', 'UPDATE', 'DELETE', 'COPY', 'MOVE'];
    const actions = verbs.flatMap((verb) => [`${verb}_FILE`, `${verb}_FOLDER`]);
    for (const action of [...actions, 'RESTORE_TRASH']) {
      const kinds = [...outcomes.keys()].filter((outcome) => outcome.startsWith(`${action} `));
      expect(kinds).toContain(`${action} accepted`);
      expect(kinds.length).toBeGreaterThan(1);
    }
  });
});
