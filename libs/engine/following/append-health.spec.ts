import { AppendOutcomeUnknown, StreamDeleted } from '../../event-store/port.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import type { AppendFault } from '../testing/faulty-events.js';

const FULL = new Error('the disk is full');
const fails: AppendFault = () => Promise.reject(FULL);

describe('the health of appends', () => {
  let spec: EngineSpec;
  const failing = async (fault = fails) => {
    spec.events.onAppend(fault);
    await expect(spec.group('A')).rejects.toMatchObject({ name: 'Unavailable' });
  };

  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
  });
  afterEach(() => spec.drives.close());

  it('ends with the first append that fails and is told once, however many fail', async () => {
    expect(spec.drives.appends.is_failing).toBe(false);
    for (let times = 0; times < 3; times++) await failing();
    expect(spec.drives.appends.is_failing).toBe(true);
    expect(spec.notices).toEqual([
      'appends fail; commands answer 503 until they succeed again: Error: the disk is full',
    ]);
  });

  it('is back with the first append that succeeds, told once', async () => {
    await failing();
    spec.now += 42_000;
    await spec.group('B');
    await spec.group('C');
    expect(spec.drives.appends.is_failing).toBe(false);
    expect(spec.notices.slice(1)).toEqual(['appends succeed again after 42 s']);
    await failing();
    expect(spec.notices).toHaveLength(3);
  });

  it('is back when the store says so, which it is asked at most once a second', async () => {
    await failing();
    const { appends } = spec.drives;
    let asked = 0;
    const { events } = spec;
    const check = events.checkAppends.bind(events);
    events.checkAppends = (bytes) => {
      asked += 1;
      expect(bytes).toBeGreaterThan(100);
      return check(bytes);
    };
    events.takes_appends = false;
    await appends.check();
    expect(asked).toBe(0);
    spec.now += 1_000;
    await Promise.all([appends.check(), appends.check()]);
    expect([asked, appends.is_failing]).toEqual([1, true]);
    events.takes_appends = true;
    await appends.check();
    expect([asked, appends.is_failing]).toEqual([1, true]);
    spec.now += 1_000;
    await appends.check();
    expect([asked, appends.is_failing]).toEqual([2, false]);
    spec.now += 1_000;
    await appends.check();
    expect(asked).toBe(2);
  });

  it('is asked for a second later although the clock was set back', async () => {
    await failing();
    spec.setClock(-3_600_000);
    spec.now += 1_000;
    await spec.drives.appends.check();
    expect(spec.drives.appends.is_failing).toBe(false);
  });

  it('counts an append of unknown outcome that was given up, not one that another try settles', async () => {
    const lost = () => Promise.reject(new AppendOutcomeUnknown('no answer'));
    spec.events.onAppend(lost);
    await spec.group('A');
    expect(spec.notices).toEqual([]);
    await failing(() => {
      spec.now += 60_000;
      return lost();
    });
    expect(spec.notices).toHaveLength(1);
  });

  it('is not touched by what is wrong with one drive alone', async () => {
    await failing(() => Promise.reject(new StreamDeleted(`drive-${DRIVE_A}`)));
    expect(spec.drives.appends.is_failing).toBe(false);
  });

  it('ends, too, where the keys of a batch cannot be stored', async () => {
    const put = spec.side.keys.put.bind(spec.side.keys);
    spec.side.keys.put = () => Promise.reject(FULL);
    await expect(spec.spawn('DriveID_b')).rejects.toMatchObject({ name: 'Unavailable' });
    expect(spec.drives.appends.is_failing).toBe(true);
    spec.side.keys.put = put;
    await spec.spawn('DriveID_c');
    expect(spec.drives.appends.is_failing).toBe(false);
  });
});
