import { DRIVE_A, EngineSpec, Note } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';
import { SharedLoads } from './shared-loads.js';

const DRIVE_B = 'DriveID_b';

describe('a past state of a drive', () => {
  let spec: EngineSpec;
  /** What was done, in order. */
  const done: string[] = [];
  const note = (what: string) => (): void => void done.push(what);

  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    await Promise.all(Array.from({ length: 30 }, () => spec.note()));
    done.length = 0;
    await read(20, () => {});
  });
  const read = async (revision: number, work: () => void | Promise<void>): Promise<void> =>
    spec.drives.past_states.read(DRIVE_A, revision, work);
  /** A reader that stays until its gate is opened, and is done then. */
  const held = (revision: number, name: string) => {
    const gate = new Gate();
    const reading = read(revision, async () => {
      await gate.pass();
      done.push(name);
    });
    return { gate, reading };
  };

  it.each([
    ['read elsewhere', () => read(15, note('moved'))],
    ['walked on', () => spec.drives.past_states.walk(DRIVE_A, 20, 22, note('moved'))],
  ])('is %s before readers that come later, though one is there', async (_, move) => {
    const first = held(20, 'first');
    const moving = move();
    const later = read(20, note('later'));
    first.gate.open();
    await Promise.all([first.reading, moving, later]);
    expect([...new Set(done)]).toEqual(['first', 'moved', 'later']);
  });

  it('has all at once who wait to read it at one point', async () => {
    const first = held(20, 'first');
    const waiting = ['a', 'b', 'c'].map((name) => held(25, name));
    first.gate.open();
    await Promise.all(waiting.map(({ gate }) => gate.reached));
    expect(done).toEqual(['first']);
    for (const { gate } of waiting) gate.open();
    await Promise.all(waiting.map(({ reading }) => reading));
  });

  it('is loaded though another drive loads as many as it may', async () => {
    await spec.spawn(DRIVE_B);
    for (let at = 0; at < 3; at++) await spec.run(Note, { payload: at }, { drive_id: DRIVE_B });
    const { past_states } = spec.drives;
    past_states.forget(DRIVE_A);
    const loading = new Gate();
    const { events } = spec;
    const readFoldable = events.readFoldable.bind(events);
    events.readFoldable = async (stream, ...asked) => {
      if (stream.endsWith(DRIVE_A)) await loading.pass();
      return readFoldable(stream, ...asked);
    };
    const slow = [1, 2, 3, 4].map((at) => past_states.use(DRIVE_A, at, at, null, () => {}));
    await loading.reached;
    expect(await past_states.read(DRIVE_B, 1, ({ folded }) => folded.state.revision)).toBe(1);
    expect(await past_states.use(DRIVE_B, 1, 2, null, ({ folded }) => folded.state.revision)).toBe(
      2,
    );
    loading.open();
    await Promise.all(slow);
  });
});

describe('shared loads', () => {
  it('of one drive leave the others a place', async () => {
    const loads = new SharedLoads(4, 3);
    const gate = new Gate();
    const slow = [1, 2, 3, 4].map((revision) =>
      loads.join({ drive_id: DRIVE_A, revision }, 0, gate.pass.bind(gate)),
    );
    let is_loaded = false;
    await loads.join({ drive_id: DRIVE_B, revision: 1 }, 0, async () => {
      is_loaded = true;
    });
    expect(is_loaded).toBe(true);
    gate.open();
    await Promise.all(slow);
  });
});
