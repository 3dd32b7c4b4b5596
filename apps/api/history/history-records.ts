import type { EventChange } from '../../../libs/application/history/concerning.js';
import type { HistoryItem } from '../../../libs/application/history/history.js';
import { ShownObject, ShownRecords, ShownText, ShownValue } from '../records/shown.js';
import { EventRecordShape } from '../replay/replay-records.js';

export class EventChangeRecord implements EventChange {
  @ShownText() resource_id!: string;
  @ShownText({ example: 'name' }) field!: string;
  @ShownValue({ description: 'Null where there was no record; secrets are `***`' })
  before!: unknown;
  @ShownValue({ description: 'Null where there is no record any more; secrets are `***`' })
  after!: unknown;
}

export class HistoryItemRecord extends EventRecordShape implements HistoryItem {
  @ShownObject({ description: 'Body of the event; secrets are `***`, what is erased `[erased]`' })
  data!: Record<string, unknown>;
  @ShownText({ description: 'As of the event', example: 'Alice' }) actor_name!: string;
  @ShownText({ example: 'Alice made Bob an admin of Finance' }) summary!: string;
  @ShownRecords(() => EventChangeRecord, {
    description: 'Fields that it changed, of the records in resource_ids',
  })
  changes!: EventChange[];
}
