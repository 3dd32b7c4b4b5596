import { MOST_PATH_CHARACTERS } from '../../../libs/domain/directory/items/path-length.js';
import { Id, ListBody, Text } from '../platform/requests/fields.js';

export class ListDirectoryBody extends ListBody {
  @Id('FolderID_', { description: 'The folder to list; takes precedence over path and disk_id' })
  folder_id?: string;

  @Text({
    max: MOST_PATH_CHARACTERS,
    empty: 'absent',
    description: 'Full path of the folder; the trailing slash is optional',
    example: 'DiskID_3f0c…::/reports/',
  })
  path?: string;

  @Id('DiskID_', {
    description: 'Without folder_id and path: lists the items shared with the caller on this disk',
  })
  disk_id?: string;
}
