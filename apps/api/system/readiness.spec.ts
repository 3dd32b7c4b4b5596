import { jest } from '@jest/globals';
import { EngineSpec } from '../../../libs/engine/testing/engine.js';
import { StoreAway } from '../../../libs/event-store/port.js';
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
    jest.spyOn(spec.events, 'head').mockRejectedValue(new StoreAway('the disk failed'));
    expect(await readiness(spec.drives)).toMatchObject({ ready: false, stores_answer: false });
  });

  it('ends when what webhooks wait for cannot be asked, and names no bug so', async () => {
    const standing = jest.spyOn(spec.side.jobs, 'standing');
    standing.mockRejectedValue(new StoreAway('connection lost'));
    expect(await readiness(spec.drives)).toMatchObject({ ready: false, stores_answer: false });
    standing.mockRejectedValue(new TypeError('a bug'));
    await expect(readiness(spec.drives)).rejects.toThrow('a bug');
  });
});
