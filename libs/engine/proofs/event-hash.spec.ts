import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { canonicalJson, eventHash, genesisHash } from './hashing.js';

const anEvent = fc.record({
  revision: fc.nat(),
  event_id: fc.uuid(),
  type: fc.stringMatching(/^[A-Z][A-Za-z]{0,30}$/),
  version: fc.integer({ min: 1, max: 99 }),
  timestamp_ms: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  metadata: fc.dictionary(fc.string(), fc.jsonValue()),
  data: fc.dictionary(fc.string(), fc.jsonValue()),
});

const stored = <T extends { metadata: unknown; data: unknown }>(event: T) => ({
  ...event,
  metadata: canonicalJson(event.metadata),
  data: canonicalJson(event.data),
});

describe('the hash of an event', () => {
  it('covers the previous hash and the canonical JSON of everything else', () => {
    fc.assert(
      fc.property(anEvent, fc.uint8Array({ minLength: 32, maxLength: 32 }), (event, previous) => {
        const expected = createHash('sha256')
          .update(previous)
          .update(canonicalJson(event))
          .digest('hex');
        expect(eventHash(previous, stored(event)).toString('hex')).toBe(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('begins with the SHA-256 of the drive id', () => {
    expect(genesisHash('DriveID_a').toString('hex')).toBe(
      createHash('sha256').update('DriveID_a').digest('hex'),
    );
  });

  it('changes with every member', () => {
    const event = stored({
      revision: 3,
      event_id: '0f0e0d0c-0000-4000-8000-000000000000',
      type: 'GroupCreated',
      version: 1,
      timestamp_ms: 1_700_000_000_000,
      metadata: { command: 'CreateGroup' },
      data: { name: 'Finance' },
    });
    const previous = genesisHash('DriveID_a');
    const variants = [
      { ...event, revision: 4 },
      { ...event, event_id: '0f0e0d0c-0000-4000-8000-000000000001' },
      { ...event, type: 'GroupUpdated' },
      { ...event, version: 2 },
      { ...event, timestamp_ms: event.timestamp_ms + 1 },
      { ...event, metadata: '{}' },
      { ...event, data: '{}' },
    ].map((variant) => eventHash(previous, variant).toString('hex'));
    const hashes = [
      ...variants,
      eventHash(previous, event).toString('hex'),
      eventHash(genesisHash('DriveID_b'), event).toString('hex'),
    ];
    expect(new Set(hashes).size).toBe(9);
  });
});
