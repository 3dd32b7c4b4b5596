import { OmitType } from '@nestjs/swagger';
import type { DryRunView, PreviewedEvent } from '../../../libs/application/replay/dry-run.js';
import { EventRecordShape } from '../replay/replay-records.js';
import { ShownInteger, ShownNull, ShownObject, ShownRecords } from './shown.js';

export class PreviewedEventRecord
  extends OmitType(EventRecordShape, ['hash'])
  implements PreviewedEvent
{
  @ShownObject({ description: 'Body of the event; secrets are `***`' })
  data!: Record<string, unknown>;
  @ShownNull({ description: 'Nothing was stored' }) hash!: null;
}

/** What a dry run answers beside `data`. */
export class DryRunRecord implements DryRunView {
  @ShownInteger({ description: 'Of the state it was decided on' }) revision!: number;
  @ShownRecords(() => PreviewedEventRecord, { description: 'What would have been stored' })
  events!: PreviewedEvent[];
}
