import { event, type DomainEvent } from '../../domain/foundation/events.js';
import { accept, type CommandDefinition } from '../../domain/foundation/decision.js';
import { OWNER } from '../../domain/testing/drive.js';
import { isRefused } from './call.js';
import { DRIVE_A, EngineSpec, request } from '../testing/engine.js';

/** Whatever is to have happened. */
const Happen: CommandDefinition<readonly DomainEvent[], null> = {
  name: 'Happen',
  decide: (_, events) => accept(['OWNER'], ...events),
  answer: () => null,
};

const linked = (slug: string): DomainEvent =>
  event('ShortlinkCreated', { slug, original_url: 'https://example.com', created_by: OWNER });
const unlinked = (slug: string): DomainEvent => event('ShortlinkRemoved', { slug });

describe('records of an organization', () => {
  let spec: EngineSpec;
  let before: number;
  const happen = (...events: DomainEvent[]) => spec.run(Happen, events);
  const count = async (): Promise<number> => (await spec.drives.open(DRIVE_A)).state.record_count;

  /** Starts with room for so many more records. */
  async function start(room: number): Promise<void> {
    const bare = new EngineSpec();
    await bare.spawn();
    before = (await bare.drives.open(DRIVE_A)).state.record_count;
    spec = new EngineSpec({ limits: { organization_records_max: before + room } });
    await spec.spawn();
  }

  it('are as many as may be, and the next one is refused with the number', async () => {
    await start(2);
    expect(isRefused(await happen(linked('a'), linked('b')))).toBe(false);
    const refused = await happen(linked('c'));
    expect(refused).toMatchObject({
      refusal: { refusal: 'too-many-records', details: [{ limit: before + 2 }] },
    });
    expect(JSON.stringify(refused)).toContain(`would hold ${before + 3} records`);
    expect(await count()).toBe(before + 2);
  });

  it('may be changed and removed above the limit', async () => {
    await start(9);
    await happen(linked('a'), linked('b'), linked('c'));
    // Another process has it that some are too many.
    const other = await spec.beside({ limits: { organization_records_max: before + 1 } });
    const elsewhere = (...events: DomainEvent[]) => other.run(Happen, events);
    const domains = event('AllowedDomainsUpdated', { allowed_domains: 'a.example' });
    expect(isRefused(await elsewhere(domains))).toBe(false);
    expect(isRefused(await elsewhere(unlinked('a')))).toBe(false);
    expect(isRefused(await elsewhere(unlinked('b'), linked('d')))).toBe(false);
    expect(isRefused(await elsewhere(linked('e')))).toBe(true);
    await other.drives.close();
  });

  it('are counted with the labels on them', async () => {
    await start(2);
    const labels = (await spec.drives.open(DRIVE_A)).state.undo_log.pins;
    expect(labels.total).toBe(0);
    const label = event('LabelCreated', {
      label_id: 'LabelID_a',
      value: 'a',
      created_by: OWNER,
    } as never);
    expect(isRefused(await happen(label))).toBe(false);
    const pin = event('LabelPinned', { label_id: 'LabelID_a', resource_id: DRIVE_A } as never);
    expect(isRefused(await happen(pin, linked('a')))).toBe(true);
    expect(labels.total).toBe(0);
    expect(isRefused(await happen(pin))).toBe(false);
    expect(labels.total).toBe(1);
    expect(isRefused(await happen(linked('a')))).toBe(true);
  });

  it('leave nothing behind when refused, and others of the same batch go on', async () => {
    await start(1);
    const drive = await spec.drives.open(DRIVE_A);
    const [big, small] = await Promise.all([happen(linked('a'), linked('b')), happen(linked('c'))]);
    expect([isRefused(big), isRefused(small)]).toEqual([true, false]);
    expect([...drive.state.shortlinks.ids()]).toEqual(['c']);
    const replayed = await spec.folded(DRIVE_A);
    expect(replayed.hash.root()).toBe(drive.folded.hash.root());
  });

  it('are not counted for what lists the organizations', async () => {
    spec = new EngineSpec({ limits: { organization_records_max: 9 } });
    for (const drive_id of ['DriveID_1', 'DriveID_2', 'DriveID_3']) await spec.spawn(drive_id);
    const factory = Array.from({ length: 9 }, (_, nth) =>
      event('DriveSpawned', { drive_id: `DriveID_more-${nth}` } as never),
    );
    const by = request({ kind: 'factory' });
    const outcome = await spec.drives.commands.run('factory', Happen, factory, by);
    expect(isRefused(outcome)).toBe(false);
  });
});
