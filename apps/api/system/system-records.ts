import { ShownFlag, ShownInteger, ShownText, ShownTexts } from '../records/shown.js';
import type { Readiness } from './readiness.js';

export class RootRecord {
  @ShownFlag({ example: true }) root!: true;
}

export class HealthRecord {
  @ShownText({ example: 'OK' }) message!: string;
}

export class ReadinessRecord implements Readiness {
  @ShownFlag() ready!: boolean;
  @ShownFlag({ description: 'False while a store cannot be reached, or has failed for good' })
  stores_answer!: boolean;
  @ShownFlag({ description: 'False while events cannot be stored, so that commands answer 503' })
  appends_succeed!: boolean;
  @ShownInteger() drives_in_memory!: number;
  @ShownInteger({ description: 'Events that read models are behind their streams, at most' })
  projection_lag_events!: number;
  @ShownTexts({ description: 'Types of stored events that this release does not know' })
  unknown_events!: string[];
  @ShownTexts({ description: 'At most 100 of the organizations that are closed to commands' })
  closed_drives!: string[];
  @ShownTexts({ description: 'At most 100 of the organizations whose webhooks stand still' })
  standing_webhooks!: string[];
}
