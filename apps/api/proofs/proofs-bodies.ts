import { REPLAY_FAMILIES } from '../../../libs/application/replay/families.js';
import { Field, JsonObject, OneOf, Text } from '../platform/requests/fields.js';
import { fault, Rule, type FieldOptions } from '../platform/requests/rule.js';
import { PointBody } from '../replay/points.js';

/** An integer, 0 or more; also as digits, for query strings. */
const Count = (options: FieldOptions): PropertyDecorator => {
  const malformed = fault('must be an integer, 0 or more');
  return Field(
    new Rule(
      { type: 'integer', minimum: 0 },
      (value) => {
        const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? +value : value;
        return Number.isSafeInteger(number) && (number as number) >= 0 ? number : malformed;
      },
      options,
    ),
  );
};

export class DigestQuery {
  @Count({ description: 'Revision of the last event to cover; absent: all current events' })
  revision?: number;
}

export class ProveEventQuery {
  @Count({ required: true, description: 'Revision of the event', example: 0 }) revision!: number;
  @Count({ description: 'Number of events in the tree; absent: all current events' }) size?: number;
}

export class ProveConsistencyQuery {
  @Count({ required: true, description: 'Size of the earlier tree, from 1', example: 1 })
  from!: number;
  @Count({ description: 'Size of the later tree; absent: all current events' }) to?: number;
}

export class ProveRecordBody extends PointBody {
  @Text({
    min: 1,
    max: 256,
    required: true,
    example: 'GroupID_1',
    // Else two ids of proofs could look alike.
    pattern: /^[\x21-\x7e]*$/,
    pattern_text: 'a text of visible ASCII characters',
  })
  record_id!: string;

  @OneOf(REPLAY_FAMILIES, {
    description:
      'If absent, the family of the record, or the family of the id prefix if there is no record. Required ' +
      "for the organization's own record in the address book (`drives`), and for absent records whose id " +
      'has no prefix. 400 for an absent record if the id prefix belongs to another family',
  })
  family?: string;
}

export class VerifyBody {
  @JsonObject({
    max: 8192,
    description:
      'A response of `organization/digest`; the check fails if the stream no longer contains it',
  })
  digest?: object;
}
