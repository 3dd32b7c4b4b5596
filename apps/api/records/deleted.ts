import type { Erased } from '../../../libs/domain/contacts/definitions.js';
import type { Deleted } from '../../../libs/domain/foundation/deleted.js';
import { ShownFlag, ShownText } from './shown.js';

/** What deletions answer. */
export class DeletedRecord implements Deleted {
  @ShownText() id!: string;
  @ShownFlag({ example: true }) deleted!: true;
}

/** What erasing a person answers. */
export class ErasedRecord extends DeletedRecord implements Erased {
  @ShownFlag({ example: true }) erased!: true;
}
