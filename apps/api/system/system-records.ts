import {
  type Harm,
  HARM_KINDS,
  type HarmKind,
} from '../../../libs/engine/following/stream-harm.js';
import {
  ShownFlag,
  ShownInteger,
  ShownOneOf,
  ShownRecord,
  ShownRecords,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
} from '../records/shown.js';
import type { Readiness, StorePart } from './readiness.js';

export class RootRecord {
  @ShownFlag({ example: true }) root!: true;
}

export class HealthRecord {
  @ShownText({ example: 'OK' }) message!: string;
}

export class HarmRecord implements Harm {
  @ShownText({ description: 'The organization, or "factory"' }) drive_id!: string;
  @ShownOneOf(HARM_KINDS) kind!: HarmKind;
  @ShownText({ description: 'What is wrong where, and what to do' }) says!: string;
}

export class StorePartRecord implements StorePart {
  @ShownFlag() works!: boolean;
  @ShownTextOrNull({ description: 'Why not, in one sentence; null while it works' })
  problem!: string | null;
}

export class ReadinessRecord implements Readiness {
  @ShownFlag() ready!: boolean;
  @ShownFlag({ description: 'False while a store cannot be reached, or has failed for good' })
  stores_answer!: boolean;
  @ShownFlag({ description: 'False while events cannot be stored, so that commands answer 503' })
  appends_succeed!: boolean;
  @ShownRecord(() => StorePartRecord, { description: 'Reads of events, tried just now' })
  reads!: StorePartRecord;
  @ShownRecord(() => StorePartRecord, {
    description: 'Writes of events, as the last append showed it; while it failed, asked again',
  })
  writes!: StorePartRecord;
  @ShownInteger() drives_in_memory!: number;
  @ShownInteger({ description: 'Events that read models are behind their streams, at most' })
  projection_lag_events!: number;
  @ShownTexts({ description: 'Types of stored events that this release does not know' })
  unknown_events!: string[];
  @ShownTexts({ description: 'At most 100 of the organizations that are closed to commands' })
  closed_drives!: string[];
  @ShownRecords(() => HarmRecord, {
    description:
      'At most 100 of the organizations whose events were harmed in the store, with what to do',
  })
  harmed_drives!: HarmRecord[];
  @ShownTexts({ description: 'At most 100 of the organizations whose webhooks are paused' })
  standing_webhooks!: string[];
}
