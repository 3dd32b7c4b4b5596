import { ROLES } from '../drives/role.js';
import { jest } from '@jest/globals';
import { DurableModel } from '../testing/durable-model.js';
import { DRIVE_A, EngineSpec, SPEC_SCHEMA, PEER } from '../testing/engine.js';
import { BackPressure } from './back-pressure.js';

const MOST_EVENTS = 3;

/** What the read model says when it is asked: where it stands, or something else. */
type StoreAnswer = number | 'nothing yet' | 'no answer' | Error;

/** The pace beside a read model that says this, one a question; the last stays. Three pauses are too many. */
function beside(...answers: readonly StoreAnswer[]) {
  const model = new DurableModel(SPEC_SCHEMA);
  const asked = jest.spyOn(model, 'checkpoint');
  let at = 0;
  asked.mockImplementation(async () => {
    const now = answers[Math.min(at++, answers.length - 1)]!;
    if (now instanceof Error) throw now;
    if (now === 'no answer') return new Promise(() => {});
    if (now === 'nothing yet') return null;
    return { generation: 'g', revision: now, event_hash: new Uint8Array(32) };
  });
  const pause = { end: () => {} };
  const limits = { most_events: MOST_EVENTS, wait_ms: 300 };
  const pace = new BackPressure(DRIVE_A, model, limits, async () => {
    const ended = Promise.withResolvers<void>();
    pause.end = ended.resolve;
    return ended.promise;
  });
  /** What is done, and whether after the end of a pause. */
  const turn = async (revision: number): Promise<string> => {
    let is_over = false;
    const waiting = pace.turn(revision).finally(() => (is_over = true));
    await new Promise(setImmediate);
    const held = is_over ? '' : 'after a pause: ';
    pause.end();
    return held + (await waiting);
  };
  return { turn, asked };
}

describe('the pace of commands', () => {
  it('is not held, and nobody asked, while the read model is known to be near', async () => {
    const { turn, asked } = beside(10);
    expect(await turn(2)).toBe('decide');
    expect(asked).not.toHaveBeenCalled();
    expect(await turn(13)).toBe('decide');
    expect(await turn(13)).toBe('decide');
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('is held while the read model is too far behind, and not once it has come up', async () => {
    const { turn } = beside(0, 1, 7);
    expect([await turn(8), await turn(8), await turn(8)]).toEqual([
      ...['after a pause: wait', 'after a pause: wait', 'decide'],
    ]);
  });

  it('refuses what has waited too long; what comes then may wait as long', async () => {
    const { turn } = beside(0, 1, 2, 3, 4, 5);
    const turns: string[] = [];
    for (let n = 0; n < 7; n += 1) turns.push(await turn(8));
    const [wait, refuse] = ['after a pause: wait', 'after a pause: refuse'];
    expect(turns).toEqual([wait, wait, refuse, wait, wait, 'decide', 'decide']);
  });

  it.each<[string, StoreAnswer]>([
    ['cannot be asked', new Error('the database is away')],
    ['does not answer', 'no answer'],
    ['is being made', 'nothing yet'],
  ])('goes on after a pause if the read model %s', async (_, answers) => {
    const { turn } = beside(answers);
    const turns = [await turn(8), await turn(8), await turn(8), await turn(8)];
    expect(new Set(turns)).toEqual(new Set(['after a pause: decide']));
  });
});

describe('commands whose read model', () => {
  let spec: EngineSpec;
  afterEach(async () => {
    jest.restoreAllMocks();
    await spec.drives.close();
  });

  it.each([
    ['others bring up, are held back where it lags', ROLES.replica, true],
    ['this process brings up, wait for that anyway', PEER, false],
  ])('%s', async (_, role, is_asked) => {
    const read_model = new DurableModel(SPEC_SCHEMA);
    spec = new EngineSpec({ read_model, role });
    await spec.spawn();
    const asked = jest.spyOn(BackPressure.prototype, 'turn');
    await spec.group('A');
    expect(asked.mock.calls.length > 0).toBe(is_asked);
  });

  it('stays too far behind are refused and nothing of them is stored', async () => {
    const read_model = new DurableModel(SPEC_SCHEMA);
    spec = new EngineSpec({ read_model, role: ROLES.replica });
    const { head } = await spec.spawn();
    const { revision } = head;
    const turn = jest.spyOn(BackPressure.prototype, 'turn');
    turn.mockResolvedValueOnce('wait').mockResolvedValueOnce('refuse');
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'read-model-behind' });
    expect(turn).toHaveBeenCalledTimes(2);
    expect((await spec.folded()).state.revision).toBe(revision);
    expect(await spec.group('A')).toMatchObject({ revision: revision + 1 });
  });

  it('lags do not keep the process from following what others append', async () => {
    const read_model = new DurableModel(SPEC_SCHEMA);
    spec = new EngineSpec({ read_model, role: ROLES.replica });
    const drive = await spec.spawn();
    const followed = Promise.withResolvers<void>();
    const turn = jest.spyOn(BackPressure.prototype, 'turn');
    turn.mockImplementationOnce(async () => {
      void drive.follow().then(followed.resolve);
      return 'wait';
    });
    turn.mockImplementationOnce(async () => {
      await followed.promise;
      return 'decide';
    });
    expect(await spec.group('A')).toMatchObject({ revision: drive.head.revision });
  });
});
