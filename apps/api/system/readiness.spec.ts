import { jest } from '@jest/globals';
import { DurableModel } from '../../../libs/engine/testing/durable-model.js';
import { EngineSpec, SPEC_SCHEMA } from '../../../libs/engine/testing/engine.js';
import { StoreUnavailable } from '../../../libs/event-store/port.js';
import { readiness } from './readiness.js';

describe('readiness', () => {
  let spec: EngineSpec;
  beforeEach(() => {
    spec = new EngineSpec();
  });
  afterEach(() => spec.drives.close());

  it('is true while the stores answer', async () => {
    expect(await readiness(spec.drives)).toMatchObject({ ready: true, stores_answer: true });
  });

  it('is false if the event store does not answer, even with all drives in memory', async () => {
    await readiness(spec.drives);
    jest.spyOn(spec.events, 'head').mockRejectedValue(new StoreUnavailable('the disk failed'));
    expect(await readiness(spec.drives)).toMatchObject({ ready: false, stores_answer: false });
  });

  it('is false if a durable read model does not answer', async () => {
    const read_model = new DurableModel(SPEC_SCHEMA);
    const durable = new EngineSpec({ read_model });
    try {
      expect(await readiness(durable.drives)).toMatchObject({ ready: true, stores_answer: true });
      jest
        .spyOn(read_model, 'checkpoint')
        .mockRejectedValue(new StoreUnavailable('connection lost'));
      expect(await readiness(durable.drives)).toMatchObject({ ready: false, stores_answer: false });
    } finally {
      await durable.drives.close();
    }
  });

  it('is false while appends fail, and true again without a command once the store accepts appends', async () => {
    await spec.spawn();
    expect(await readiness(spec.drives)).toMatchObject({ ready: true, appends_succeed: true });
    spec.events.onAppend(() => Promise.reject(new Error('the disk is full')));
    await expect(spec.group('A')).rejects.toThrow('store-failed');
    spec.events.takes_appends = false;
    for (let seconds = 0; seconds < 3; seconds++, spec.now += 1_000)
      expect(await readiness(spec.drives)).toMatchObject({
        ...{ ready: false, stores_answer: true, appends_succeed: false },
      });
    spec.events.takes_appends = true;
    expect(await readiness(spec.drives)).toMatchObject({ ready: true, appends_succeed: true });
  });

  it('is false if the job store does not answer; a bug is rethrown', async () => {
    const quarantined = jest.spyOn(spec.side.jobs, 'quarantinedReactors');
    quarantined.mockRejectedValue(new StoreUnavailable('connection lost'));
    expect(await readiness(spec.drives)).toMatchObject({ ready: false, stores_answer: false });
    quarantined.mockRejectedValue(new TypeError('a bug'));
    await expect(readiness(spec.drives)).rejects.toThrow('a bug');
  });
});
