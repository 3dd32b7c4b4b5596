import { jest } from '@jest/globals';
import { DurableModel } from './testing/durable-model.js';
import { DRIVE_A, EngineSpec, SPEC_SCHEMA } from './testing/engine.js';
import { Pace } from './pace.js';

const MOST_EVENTS = 3;

/** The pace beside a read model that stands at these revisions, one a question; the last stays. */
function beside(...revisions: readonly (number | Error | null)[]) {
  const model = new DurableModel(SPEC_SCHEMA);
  const asked = jest.spyOn(model, 'checkpoint');
  let at = 0;
  asked.mockImplementation(async () => {
    const revision = revisions[Math.min(at++, revisions.length - 1)]!;
    if (revision instanceof Error) throw revision;
    // Null: it never answers.
    if (revision === null) return new Promise(() => {});
    return { generation: 'g', revision, event_hash: new Uint8Array(32) };
  });
  const pause = { end: () => {} };
  const pace = new Pace(
    DRIVE_A,
    model,
    MOST_EVENTS,
    () => new Promise<void>((end) => (pause.end = end)),
  );
  /** Whether it waits for the end of a pause. */
  const holds = async (revision: number): Promise<boolean> => {
    let is_over = false;
    const waiting = pace.wait(revision).then(() => (is_over = true));
    await new Promise(setImmediate);
    const held = !is_over;
    pause.end();
    await waiting;
    return held;
  };
  return { holds, asked };
}

describe('the pace of commands', () => {
  it('is not held, and nobody asked, while the read model is known to be near', async () => {
    const { holds, asked } = beside(10);
    expect(await holds(2)).toBe(false);
    expect(asked).not.toHaveBeenCalled();
    expect(await holds(13)).toBe(false);
    expect(await holds(13)).toBe(false);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('is held by a pause while the read model is too far behind, and not once it has come up', async () => {
    const { holds } = beside(0, 1, 7);
    expect([await holds(8), await holds(8), await holds(8)]).toEqual([true, true, false]);
  });

  it.each([
    ['cannot be asked', new Error('the database is away')],
    ['does not answer', null],
  ])('goes on after a pause if the read model %s', async (_, answer) => {
    expect(await beside(answer).holds(8)).toBe(true);
  });
});

describe('commands whose read model', () => {
  it.each([
    ['others bring up, are held back where it lags', false, true],
    ['this process brings up, wait for that anyway', true, false],
  ])('%s', async (_, projects, is_asked) => {
    const read_model = new DurableModel(SPEC_SCHEMA);
    const spec = new EngineSpec({ read_model, projects, shared: true });
    await spec.spawn();
    const asked = jest.spyOn(Pace.prototype, 'wait');
    await spec.group('A');
    expect(asked.mock.calls.length > 0).toBe(is_asked);
    asked.mockRestore();
    await spec.drives.close();
  });
});
