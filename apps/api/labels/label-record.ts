import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import type { PinAnswer } from '../../../libs/domain/labels/definitions.js';
import type { LabelView } from '../../../libs/domain/labels/view.js';
import {
  ShownFlag,
  ShownInteger,
  ShownRecord,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

export class LabelRecord implements LabelView {
  @ShownText({ example: 'LabelID_3f0c…' }) id!: string;
  @ShownText({ example: 'urgent', description: 'Lower case' }) value!: string;
  @ShownTextOrNull({ description: 'The same as public_note' }) description!: string | null;
  @ShownTextOrNull() public_note!: string | null;
  @ShownTextOrNull({ description: 'Null for callers without EDIT on the label' })
  private_note!: string | null;
  @ShownText({ example: '#3B82F6' }) color!: string;
  @ShownText() created_by!: string;
  @ShownInteger() created_at!: number;
  @ShownInteger() last_updated_at!: number;
  @ShownTexts({
    description:
      'Ids of the records it is pinned on, the first 1,000 by id; empty but for the owner',
  })
  resources!: string[];
  @ShownTexts({ description: 'Values of the labels pinned on this label' }) labels!: string[];
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
}

export class PinRecord implements PinAnswer {
  @ShownFlag({ example: true }) success!: true;
  @ShownText() message!: string;
  @ShownRecord(() => LabelRecord) label!: LabelView;
}
