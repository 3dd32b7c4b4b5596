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

  it('is there while the stores answer', async () => {
    expect(await readiness(spec.drives)).toMatchObject({ ready: true, stores_answer: true });
  });

  it('ends when the event store does not answer any more, also with all drives in memory', async () => {
    await readiness(spec.drives);
    jest.spyOn(spec.events, 'head').mockRejectedValue(new StoreUnavailable('the disk failed'));
    expect(await readiness(spec.drives)).toMatchObject({ ready: false, stores_answer: false });
  });

  it('ends when a read model that outlives the process does not answer any more', async () => {
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

  it('ends while appends fail, and is back when the store takes them again, without any command', async () => {
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

  it('ends when what webhooks wait for cannot be asked, and names no bug so', async () => {
    const standing = jest.spyOn(spec.side.jobs, 'standing');
    standing.mockRejectedValue(new StoreUnavailable('connection lost'));
    expect(await readiness(spec.drives)).toMatchObject({ ready: false, stores_answer: false });
    standing.mockRejectedValue(new TypeError('a bug'));
    await expect(readiness(spec.drives)).rejects.toThrow('a bug');
  });
});
