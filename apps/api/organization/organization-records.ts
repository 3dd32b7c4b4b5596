import type {
  ActivationAnswer,
  InboxAnswer,
  SuccessAnswer,
  SuperswapAnswer,
  TransferAnswer,
} from '../../../libs/domain/organization/definitions.js';
import type {
  ExternalIdResult,
  ExternalIdsAnswer,
} from '../../../libs/domain/organization/external-ids.js';
import type {
  AboutView,
  ShortlinkView,
  WhoAmIView,
} from '../../../libs/domain/organization/view.js';
import {
  ShownFlag,
  ShownInteger,
  ShownOneOf,
  ShownRecords,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
} from '../records/shown.js';

const REDACTED = { description: '`REDACTED` without VIEW on DRIVES' };

export class AboutRecord implements AboutView {
  @ShownText(REDACTED) organization_name!: string;
  @ShownText() organization_id!: string;
  @ShownText(REDACTED) owner!: string;
  @ShownText({ description: 'API base of this server' }) host!: string;
  @ShownText() frontend_url!: string;
  @ShownText(REDACTED) canister_id!: string;
  @ShownText() version!: string;
  @ShownText({ example: '0' }) gas_cycles!: string;
  @ShownText({ example: '0' }) daily_idle_cycle_burn_rate!: string;
  @ShownTexts() controllers!: string[];
  @ShownText({ description: 'Empty without VIEW on DRIVES' }) external_id!: string;
  @ShownTextOrNull({ description: 'Null without VIEW on DRIVES' }) email!: string | null;
}

export class WhoAmIRecord implements WhoAmIView {
  @ShownText() userID!: string;
  @ShownText() driveID!: string;
  @ShownText({ description: '`Anonymous User` for nobody’s contact' }) nickname!: string;
  @ShownText() icp_principal!: string;
  @ShownTextOrNull() evm_public_address!: string | null;
  @ShownFlag() is_owner!: boolean;
  @ShownText() drive_nickname!: string;
}

export class TransferRecord implements TransferAnswer {
  @ShownOneOf(['REQUESTED', 'COMPLETED', 'CANCELLED']) status!: TransferAnswer['status'];
  @ShownInteger({ description: 'ms; when it may be completed, -1 once cancelled' })
  ready_ms!: number;
}

export class SuccessRecord implements SuccessAnswer {
  @ShownFlag({ example: true }) success!: true;
  @ShownText() message!: string;
}

export class SuperswapRecord extends SuccessRecord implements SuperswapAnswer {
  @ShownInteger({ description: 'Records changed, each once' }) updated_count!: number;
}

export class ActivationRecord implements ActivationAnswer {
  @ShownText() drive_id!: string;
  @ShownText() host_url!: string;
  @ShownText({ description: 'The token; shown this once' }) api_key!: string;
  @ShownText() note!: string;
  @ShownText({ description: '`{drive_id}:{api_key}@{host_url}`' }) admin_login_password!: string;
  @ShownText() auto_login_url!: string;
}

export class InboxRecord implements InboxAnswer {
  @ShownText({ example: 'InboxNotifID_3f0c…' }) inbox_notif_id!: string;
  @ShownText() drive_id!: string;
  @ShownInteger() timestamp_ms!: number;
  @ShownText() note!: string;
}

export class ShortlinkRecord implements ShortlinkView {
  @ShownText() slug!: string;
  @ShownText({ description: 'Once removed: the web client’s not-found page' })
  original_url!: string;
  @ShownText() shortlink_url!: string;
}

export class ExternalIdRecord implements ExternalIdResult {
  @ShownFlag({ description: 'At least one id was found' }) success!: boolean;
  @ShownText() message!: string;
  @ShownText() external_id!: string;
  @ShownTexts({ description: 'At most 1,000, by id' }) internal_ids!: string[];
}

export class ExternalIdsRecord implements ExternalIdsAnswer {
  @ShownRecords(() => ExternalIdRecord, { description: 'One per id asked for, in that order' })
  results!: ExternalIdResult[];
}
