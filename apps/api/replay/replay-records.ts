import type { EventRecord } from '../../../libs/application/replay/event-record.js';
import type { ReindexJobView } from '../../../libs/application/replay/reindex.js';
import type { ReindexAnswer } from '../../../libs/application/replay/reindex-jobs.js';
import type { ReplayAnswer } from '../../../libs/application/replay/replay.js';
import {
  ShownFlag,
  ShownFlagOrNull,
  ShownInteger,
  ShownIntegerOrNull,
  ShownObject,
  ShownOneOf,
  ShownRecord,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
} from '../records/shown.js';

export class ActorRecord {
  @ShownTextOrNull() user_id!: string | null;
  @ShownTextOrNull() api_key_id!: string | null;
  @ShownOneOf(['API_KEY', 'SIGNATURE', 'REDEEM_CODE', 'FACTORY', 'SYSTEM']) via!: string;
}

export class EventRecordShape implements EventRecord {
  @ShownInteger() revision!: number;
  @ShownText() event_id!: string;
  @ShownText({ example: 'GroupCreated' }) type!: string;
  @ShownInteger({ description: 'Version of the schema of the event' }) version!: number;
  @ShownInteger() timestamp_ms!: number;
  @ShownRecord(() => ActorRecord) actor!: ActorRecord;
  @ShownText({ example: 'CreateGroup' }) command!: string;
  @ShownText() correlation_id!: string;
  @ShownTexts({ description: 'OWNER, SELF, CODE, FACTORY, SYSTEM, or ids of grants and invites' })
  allowed_by!: string[];
  @ShownTextOrNull() reason!: string | null;
  @ShownTexts({ description: 'Records whose own fields it changed, at most 100' })
  resource_ids!: string[];
  @ShownInteger() resource_count!: number;
  @ShownText({ description: '64 hex digits' }) hash!: string;
}

export class ReplayRecord implements ReplayAnswer {
  @ShownText() drive_id!: string;
  @ShownInteger() revision!: number;
  @ShownInteger() at_ms!: number;
  @ShownRecord(() => EventRecordShape) last_event!: EventRecord;
  @ShownInteger() events_folded!: number;
  @ShownIntegerOrNull({ description: 'Where the fold started from; null: event 0' })
  snapshot_revision!: number | null;
  @ShownInteger() duration_ms!: number;
  @ShownTextOrNull({ description: '64 hex digits; null if not asked for' })
  state_hash!: string | null;
  @ShownInteger() state_version!: number;
  @ShownText() chain_hash!: string;
  @ShownFlagOrNull({ description: 'true after `verify`, else null' }) verified!: true | null;
  @ShownText() log_root!: string;
  @ShownInteger({
    description: 'People known at the point whose personal data has been erased by now',
  })
  erased_subjects!: number;
  @ShownObject({ description: 'Records of every family' }) counts!: Record<string, number>;
  @ShownObject({ description: 'A list page of every included family' })
  state!: ReplayAnswer['state'];
}

export class ReindexRecord implements ReindexAnswer {
  @ShownFlag() success!: true;
  @ShownInteger() timestamp_ms!: number;
  @ShownInteger({ description: 'Documents written' }) indexed_count!: number;
  @ShownInteger({ description: 'Revision that the rebuilt models show' }) revision!: number;
  @ShownInteger() events_folded!: number;
  @ShownInteger() duration_ms!: number;
  @ShownText() job_id!: string;
}

export class ReindexJobRecord implements ReindexJobView {
  @ShownText() job_id!: string;
  @ShownOneOf(['RUNNING', 'DONE', 'FAILED']) state!: 'RUNNING' | 'DONE' | 'FAILED';
  @ShownInteger() events_folded!: number;
  @ShownInteger() events_total!: number;
  @ShownInteger() documents_written!: number;
  @ShownInteger() percent!: number;
  @ShownInteger() started_ms!: number;
  @ShownIntegerOrNull() finished_ms!: number | null;
  @ShownTextOrNull() error!: string | null;
}
