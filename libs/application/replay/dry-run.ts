import type { Answered, DecidedEvent } from '../../engine/writer/call.js';
import { previewId } from '../fresh.js';
import { eventRecordView, presentBody, presentEvent } from './event-record.js';
import { integer, listOf, nothing, object, type Shown, view } from '../../domain/kernel/view.js';

/** An event that was decided but not stored: its id is a placeholder, and it has no hash. */
const previewedEventView = view('PreviewedEvent', {
  ...eventRecordView.members,
  data: object('Body of the event; secrets are `***`'),
  hash: nothing('Always null, because nothing was stored'),
});
export type PreviewedEvent = Shown<typeof previewedEventView>;

/** The members of a dry run's answer besides `data`. */
export const dryRunView = view('DryRun', {
  revision: integer('Revision of the state on which it was decided'),
  events: listOf(previewedEventView, 'Events that would have been stored'),
});
export type DryRunView = Shown<typeof dryRunView>;

/** Presents the events that a command would have appended; null if it was not a dry run. */
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
