import type { Answered, DecidedEvent } from '../../engine/writer/call.js';
import { previewId } from '../fresh.js';
import { presentBody, presentEvent, type WholeEventRecord } from './event-record.js';

/** An event that was decided and not stored: its id is a preview, and it has no hash. */
export interface PreviewedEvent extends Omit<WholeEventRecord, 'hash'> {
  hash: null;
}

/** What a dry run answers beside `data`. */
export interface DryRunView {
  /** Revision of the state it was decided on. */
  revision: number;
  events: PreviewedEvent[];
}

/** Shows what a command would have appended; null if it was no dry run. */
export function presentDryRun({
  dry_run,
  revision,
}: Pick<Answered<unknown>, 'dry_run' | 'revision'>): DryRunView | null {
  return dry_run ? { revision, events: dry_run.map(presentDecided) } : null;
}

function presentDecided({ event, body, touched }: DecidedEvent): PreviewedEvent {
  return {
    ...presentEvent(event, touched),
    event_id: previewId(),
    data: presentBody(event.type, body, (value) => value as never),
    hash: null,
  };
}
