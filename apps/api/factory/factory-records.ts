import type { Migration } from '../../../libs/application/factory/administration.js';
import type {
  AuthJson,
  PersonAnswer,
  QuickstartAnswer,
} from '../../../libs/application/factory/quickstart.js';
import {
  ShownFlag,
  ShownInteger,
  ShownRecord,
  ShownRecords,
  ShownText,
  ShownTextOrNull,
} from '../records/shown.js';

export class AuthJsonRecord implements AuthJson {
  @ShownText() host!: string;
  @ShownText() drive_id!: string;
  @ShownText() org_name!: string;
  @ShownText() user_id!: string;
  @ShownText() profile_name!: string;
  @ShownText({ description: 'The token; shown this once' }) api_key_value!: string;
}

export class PersonRecord implements PersonAnswer {
  @ShownText() user_id!: string;
  @ShownText({ description: 'The token; shown this once' }) api_key_value!: string;
  @ShownText() auto_login_url!: string;
  @ShownRecord(() => AuthJsonRecord) auth_json!: AuthJson;
  @ShownTextOrNull() tracer!: string | null;
}

export class NewOrganizationRecord {
  @ShownText({ example: 'DriveID_2vxsx-fae' }) drive_id!: string;
  @ShownText() org_name!: string;
  @ShownText() host_url!: string;
  @ShownText() frontend_url!: string;
  @ShownTextOrNull() tracer!: string | null;
}

export class QuickstartRecord implements QuickstartAnswer {
  @ShownRecord(() => NewOrganizationRecord) organization!: NewOrganizationRecord;
  @ShownRecord(() => PersonRecord) admin!: PersonAnswer;
  @ShownRecords(() => PersonRecord) members!: PersonAnswer[];
}

export class MigrationRecord implements Migration {
  @ShownFlag({ example: true }) success!: true;
  @ShownText() message!: string;
  @ShownInteger({ description: 'Version of the records that states hold' }) state_version!: number;
  @ShownInteger({ description: 'Organizations there are' }) drives!: number;
  @ShownInteger() timestamp_ms!: number;
}
