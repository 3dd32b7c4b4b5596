import { EventMissing, type EventStore, type StoredEvent } from './port.js';

type Source = Pick<EventStore, 'readStream'>;

/** Events `from` to `to` of a stream that must have them. @throws EventMissing */
export async function existingEvents(
  events: Source,
  stream: string,
  from: number,
  to: number,
): Promise<readonly StoredEvent[]> {
  const page = await events.readStream(stream, from, 'forward', to - from + 1);
  for (let revision = from; revision <= to; revision++)
    if (page[revision - from]?.revision !== revision) throw new EventMissing(stream, revision);
  return page;
}

/** The event at a revision of a stream that must have it. @throws EventMissing */
export async function existingEvent(
  events: Source,
  stream: string,
  revision: number,
): Promise<StoredEvent> {
  return (await existingEvents(events, stream, revision, revision))[0]!;
}

/** `timestamp_ms` of the event at a revision of a stream that must have it. @throws EventMissing */
export async function timeOfEvent(
  events: Source,
  stream: string,
  revision: number,
): Promise<number> {
  return (await existingEvent(events, stream, revision)).timestamp_ms;
}
