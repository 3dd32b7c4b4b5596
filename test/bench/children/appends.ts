import { randomUUID } from 'node:crypto';

import type { EventStore, NewEvent } from '../../../libs/event-store/port.js';

/** Bytes of an event of the service that makes a group with all its fields. */
const DATA_BYTES = 496;
const METADATA_BYTES = 325;

const DATA = textOf(DATA_BYTES);
const METADATA = textOf(METADATA_BYTES);
const HASH = new Uint8Array(32);

interface Stream {
  revision: number;
  waiting: (() => void)[];
  is_busy: boolean;
}

/**
 * Appends events of one size, durably: those of a stream that wait for an earlier append go together. What an event
 * store costs at least, whatever decides the events.
 */
export class Appends {
  private readonly streams = new Map<string, Stream>();

  constructor(private readonly events: EventStore) {}

  /** Resolves when one event more of the stream is durable. */
  append(name: string): Promise<void> {
    let stream = this.streams.get(name);
    if (!stream) this.streams.set(name, (stream = { revision: -1, waiting: [], is_busy: false }));
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.waiting.push(resolve);
    if (!stream.is_busy) void this.work(name, stream);
    return promise;
  }

  private async work(name: string, stream: Stream): Promise<void> {
    stream.is_busy = true;
    while (stream.waiting.length > 0) {
      const { waiting } = stream;
      stream.waiting = [];
      await this.events.append(name, stream.revision, waiting.map(newEvent));
      stream.revision += waiting.length;
      for (const resolve of waiting) resolve();
    }
    stream.is_busy = false;
  }
}

function newEvent(): NewEvent {
  return {
    event_id: randomUUID(),
    type: 'GroupCreated',
    version: 1,
    timestamp_ms: Date.now(),
    metadata: METADATA,
    data: DATA,
    hash: HASH,
  };
}

/** A JSON text of so many bytes. */
function textOf(bytes: number): string {
  const frame = '{"a":""}';
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
}
