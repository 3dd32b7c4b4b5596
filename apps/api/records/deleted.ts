import type { Deleted } from '../../../libs/domain/groups/definitions.js';
import { ShownFlag, ShownText } from './shown.js';

/** What deletions answer. */
export class DeletedRecord implements Deleted {
  @ShownText() id!: string;
  @ShownFlag({ example: true }) deleted!: true;
}
