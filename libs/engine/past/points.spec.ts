import { bookmarkCommands } from '../../domain/bookmarks/commands.js';
import { T0 } from '../../domain/testing/drive.js';
import { streamOf } from '../fold/fold.js';
import { type PointRequest, presentOf, resolvePoint } from './points.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';

describe('points of a drive’s past', () => {
  let spec: EngineSpec;
  /** Events at T0 (spawn), T0+10, T0+10, T0+30. */
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    for (const ms of [10, 10, 30]) {
      spec.now = T0 + ms;
      await spec.note(ms);
    }
    spec.now = T0 + 100;
  });

  const resolve = async (request: PointRequest, revision?: number, within?: string) => {
    const present = presentOf(await spec.drives.open(DRIVE_A));
    const seen = { ...present, ...(revision !== undefined && { revision }) };
    return resolvePoint(spec.events, DRIVE_A, request, seen, within);
  };

  it('without anything is now', async () => {
    expect(await resolve({})).toEqual({ revision: 3, at_ms: T0 + 100 });
  });

  it('by revision has the time of that event', async () => {
    expect(await resolve({ revision: 0 })).toEqual({ revision: 0, at_ms: T0 });
    expect(await resolve({ revision: 2 })).toEqual({ revision: 2, at_ms: T0 + 10 });
    expect(await resolve({ revision: 3 })).toEqual({ revision: 3, at_ms: T0 + 30 });
  });

  it.each([
    [0, 0],
    [9, 0],
    [10, 2],
    [29, 2],
    [30, 3],
    [100, 3],
  ])('at T0 + %i ms stands after the last event up to then: revision %i', async (ms, revision) => {
    expect(await resolve({ at_ms: T0 + ms })).toEqual({ revision, at_ms: T0 + ms });
  });

  it('never lies beyond what the caller may see as present', async () => {
    expect(await resolve({ at_ms: T0 + 50 }, 2)).toEqual({ revision: 2, at_ms: T0 + 50 });
  });

  it.each<[PointRequest, string]>([
    [{ revision: 1, at_ms: T0 }, '/revision'],
    [{ revision: 1, at: '@x' }, '/at'],
    [{ at_ms: T0, at: '@x' }, '/at'],
  ])('by two members, as in %j, is refused', async (request, pointer) => {
    const details = [{ pointer }];
    expect(await resolve(request)).toMatchObject({ refusal: 'invalid-field', details });
  });

  it('by name is what the bookmark has kept, also from what the stream was before it', async () => {
    await spec.run(bookmarkCommands.CreateBookmark, { name: 'kept' });
    await spec.note();
    expect(await resolve({ at: '@kept' })).toEqual({ revision: 3, at_ms: T0 + 100 });
  });

  it('by an unknown name is refused, blamed where it stands', async () => {
    expect(await resolve({ at: '@none' }, 3, '/from')).toMatchObject({
      refusal: 'bookmark-not-found',
      details: [{ pointer: '/from/at' }],
    });
  });

  it('in the future is refused', async () => {
    expect(await resolve({ at_ms: T0 + 101 })).toMatchObject({ refusal: 'invalid-field' });
  });

  it.each([-1, 4])('at revision %i is refused, naming the range', async (revision) => {
    expect(await resolve({ revision })).toMatchObject({
      refusal: 'point-out-of-range',
      details: [{ pointer: '/revision', reason: 'must be from 0 to 3' }],
    });
  });

  it('before the first event is refused, naming the range', async () => {
    expect(await resolve({ at_ms: T0 - 1 })).toMatchObject({
      refusal: 'point-out-of-range',
      details: [{ pointer: '/at_ms', reason: `must be from ${T0} to ${T0 + 100}` }],
    });
  });

  it('rests on times that never decrease', async () => {
    spec.now = T0;
    await spec.note();
    const stored = await spec.events.readStream(streamOf(DRIVE_A), 0, 'forward', 10);
    const times = stored.map(({ timestamp_ms }) => timestamp_ms);
    expect(times).toEqual(times.toSorted());
  });
});
