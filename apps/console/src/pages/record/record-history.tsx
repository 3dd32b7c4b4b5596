import { useState } from 'react';
import { EventList } from '../../components/event-list.js';
import { Paging } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { Answered } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import type { PageCursors } from '../../point/use-view.js';
import { ViewNote } from '../../point/view-note.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { texts } from '../../texts.js';

const PAGE_SIZE = 20;

/**
 * Pages of the history of a record; of an id that no record ever had the error says so.
 * @param is_wanted false for what cannot be an id
 */
export function useRecordHistory(id: string, is_wanted: boolean) {
  const { overview } = usePoint();
  const [page, setPage] = useState<{ of: string; cursor: PageCursors }>({ of: id, cursor: {} });
  // Another record begins at its first page.
  const cursor = page.of === id ? page.cursor : {};
  const query = useDriveQuery(
    ['history', { resource_id: id }, cursor, overview?.to_revision],
    ({ organization }, options) =>
      organization.history({ resource_id: id, page_size: PAGE_SIZE, ...cursor }, options),
    {
      enabled: is_wanted,
      placeholderData: (previous, from) =>
        from && (from.queryKey[2] as { resource_id: string }).resource_id === id
          ? previous
          : undefined,
    },
  );
  return { ...query, setCursor: (next: PageCursors) => setPage({ of: id, cursor: next }) };
}

interface RecordHistoryProps {
  readonly id: string;
  readonly history: ReturnType<typeof useRecordHistory>;
}

/** All events of a record, also those after the point; a click leads to one. */
export function RecordHistory({ id, history }: RecordHistoryProps) {
  const { isPlaceholderData, setCursor } = history;
  return (
    <Section title={texts.record.history}>
      <ViewNote not_applied={texts.view_as.not_applied_to_history} />
      <Answered query={history}>
        {(page) => (
          <>
            <div aria-busy={isPlaceholderData}>
              <EventList key={id} events={page.items} of_record={id} />
            </div>
            <Paging
              page={page}
              shown={page.items.length}
              text={texts.events.total}
              onTurn={setCursor}
            />
          </>
        )}
      </Answered>
    </Section>
  );
}
