import { Id, ListBody, Text } from '../platform/requests/fields.js';

export class ListDirectoryBody extends ListBody {
  @Id('FolderID_', { description: 'The folder to list; wins over path and disk_id' })
  folder_id?: string;

  @Text({
    max: 8192,
    empty: 'absent',
    description: 'Full path of the folder; its last slash may be missing',
    example: 'DiskID_3f0c…::/reports/',
  })
  path?: string;

  @Id('DiskID_', { description: 'Alone: what was shared with the caller on this disk' })
  disk_id?: string;
}
