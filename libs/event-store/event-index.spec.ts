import { entriesIn, type IndexedEvent, indexText, IndexText } from './event-index.js';

const METADATA = JSON.stringify({ reason: 'Größe "1" → 2 🙂', command: 'C' });

describe('events for an index as bytes', () => {
  const event = (revision: number): IndexedEvent => ({
    ...{ revision, type: `T"${revision}`, metadata: METADATA },
    resource_ids: ['GroupID_ä', 'b'],
  });
  const entry = (revision: number) => {
    const { type, resource_ids } = event(revision);
    return [revision, type, resource_ids, JSON.parse(METADATA)];
  };

  it('are read as they were, whether metadata are text or bytes, also of many', () => {
    const in_bytes = { ...event(1), metadata: new TextEncoder().encode(METADATA) };
    const many = Array.from({ length: 3000 }, (_, nth) => event(nth + 2));
    expect(entriesIn(indexText([event(0), in_bytes, ...many]))).toEqual(
      Array.from({ length: 3002 }, (_, nth) => entry(nth)),
    );
    expect(entriesIn(indexText([]))).toEqual([]);
  });

  it('begin again once they are taken, in a buffer of their own', () => {
    const text = new IndexText();
    text.add(event(0));
    const first = text.take();
    text.add(event(1));
    text.add(event(2));
    const second = text.take();
    structuredClone(first, { transfer: [first.buffer as ArrayBuffer] });
    expect(first).toHaveLength(0);
    expect(entriesIn(second)).toEqual([entry(1), entry(2)]);
  });
});
