import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '../../api/errors.js';
import { EventList } from '../../components/event-list.js';
import { Paging } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { Failed, Loading } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import { useDrive } from '../../session/session-context.js';
import { texts } from '../../texts.js';

const PAGE_SIZE = 20;

/** All events of a record, also those after the point; a click leads to one. */
export function RecordHistory({ id }: { readonly id: string }) {
  const drive = useDrive();
  const { overview } = usePoint();
  const [cursor, setCursor] = useState<object>({});
  const { data, error, refetch } = useQuery({
    queryKey: [drive.drive_id, 'history', { resource_id: id }, cursor, overview?.to_revision],
    queryFn: ({ signal }) =>
      drive.organization.history({ resource_id: id, page_size: PAGE_SIZE, ...cursor }, { signal }),
    placeholderData: keepPreviousData,
  });
  // An id that never was: the page says so already.
  if (error && describeError(error).status === 404) return null;
  return (
    <Section title={texts.record.history}>
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <EventList events={data.items} of_record={id} />
          <Paging
            total={data.total}
            shown={data.items.length}
            text={texts.events.total}
            onPrevious={data.cursor_up ? () => setCursor({ cursor_up: data.cursor_up }) : null}
            onNext={data.cursor_down ? () => setCursor({ cursor_down: data.cursor_down }) : null}
          />
        </>
      ) : (
        <Loading />
      )}
    </Section>
  );
}
