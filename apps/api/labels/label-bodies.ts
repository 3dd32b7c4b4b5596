import { RECORD_KINDS } from '../../../libs/domain/drive/record-kinds.js';
import { DEFAULT_COLOR } from '../../../libs/domain/labels/record.js';
import { Field, Flag, Id, ListBody, Text } from '../platform/requests/fields.js';
import { Fault, isObject, Rule, type FieldOptions } from '../platform/requests/rule.js';
import { text, withParts } from '../platform/requests/rules.js';

const Value = (options?: FieldOptions): PropertyDecorator =>
  Text({
    min: 1,
    max: 64,
    pattern: /^[A-Za-z0-9_-]+$/,
    pattern_text: '1 to 64 letters, digits, _ or -',
    example: 'urgent',
    description: 'Stored in lower case; unique among labels',
    ...options,
  });

const Color = (options?: FieldOptions): PropertyDecorator =>
  Text({
    pattern: /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/,
    pattern_text: '#RGB or #RRGGBB',
    ...options,
  });

const Note = (options?: FieldOptions): PropertyDecorator => Text({ max: 1024, ...options });
const DESCRIPTION = 'Alias of public_note, which takes precedence';

export class CreateLabelBody {
  @Id('LabelID_') id?: string;
  @Value({ required: true }) value!: string;
  @Color({ description: `Default ${DEFAULT_COLOR}` }) color?: string;
  @Note({ description: DESCRIPTION }) description?: string;
  @Note() public_note?: string;
  @Note() private_note?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateLabelBody {
  @Id('LabelID_', { required: true }) id!: string;
  @Value({ null: 'keeps' }) value?: string;
  @Color({ null: 'keeps' }) color?: string;
  @Note({ null: 'clears', description: DESCRIPTION }) description?: string | null;
  @Note({ null: 'clears' }) public_note?: string | null;
  @Note({ null: 'clears' }) private_note?: string | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteLabelBody {
  @Id('LabelID_', { required: true }) id!: string;
}

export class PinLabelBody {
  @Id('LabelID_', { required: true }) label_id!: string;
  @Id([...RECORD_KINDS.by_prefix.keys()], { required: true }) resource_id!: string;
  @Flag({ required: true, description: 'True pins the label, false unpins it' }) add!: boolean;
}

const prefix = text({ max: 256 });

/** The members of the filter that is an object. */
class PrefixFilterParts {
  @Field(prefix) declare prefix?: string;
}

/** The prefix of a label value: a string, or an object that contains it. */
const prefixFilter = withParts(
  new Rule(
    {
      oneOf: [prefix.schema, { type: 'object', properties: { prefix: prefix.schema } }],
    },
    (value) => {
      if (!isObject(value)) return prefix.read(value);
      const read = prefix.read(value.prefix ?? '');
      if (!(read instanceof Fault)) return read;
      return new Fault(
        read.problems.map((problem) => ({ ...problem, at: `/prefix${problem.at}` })),
      );
    },
    { default: '', description: 'Case-insensitive prefix of the value' },
  ),
  () => PrefixFilterParts,
);

export class ListLabelsBody extends ListBody {
  @Field(prefixFilter) declare filters: string;
}
