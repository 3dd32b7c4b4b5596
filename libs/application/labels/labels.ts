import { labelReads, labelsBeginning, type LabelView } from '../../domain/labels/reads.js';
import { driveQuery } from '../drive-query.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';

/** `filters` is a prefix of the labels' values. */
export const ListLabels = driveQuery<ListInput, ListPage<LabelView>>(
  'ListLabels',
  (drives, reader, { filters: prefix, ...input }) =>
    listRecords(drives, labelReads, reader, { ...input, filters: '' }, (context) =>
      prefix ? { where: [labelsBeginning(context, prefix)] } : {},
    ),
);
