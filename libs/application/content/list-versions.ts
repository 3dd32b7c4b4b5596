import {
  listVersions,
  presentVersion,
  type VersionView,
} from '../../domain/directory/content/versions.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { stateQuery } from '../drive-query.js';
import type { PageInput } from '../pages/cursor.js';
import type { ListPage } from '../list-records.js';
import { pageOf } from '../pages/page-of.js';

interface ListVersionsInput extends PageInput {
  readonly file_id: string;
}

/** A page of the versions of a file, by number. */
export const ListVersions = stateQuery<ListVersionsInput, ListPage<VersionView>>(
  'ListVersions',
  (context, input) => {
    const found = listVersions(context, input.file_id);
    if (isRefusal(found)) return found;
    const { file, versions } = found;
    const list = `${context.state.drive_id}\nversions\n${file.id}`;
    return pageOf(
      list,
      input,
      versions.toReversed(),
      ({ file_version }) => ({ key: file_version, id: '' }),
      (version) => presentVersion(context, file, version),
    );
  },
);
