import { Button, Group, Switch, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { EventList } from '../../components/event-list.js';
import { Paging } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { Empty, EmptyPage, Failed, Loading } from '../../components/states.js';
import { UserText } from '../../components/user-text.js';
import { isFamily, queryOf, useEventFilter } from '../../point/event-filter.js';
import { usePoint } from '../../point/point-context.js';
import { useChangeView, usePage, useView } from '../../point/use-view.js';
import { ViewNote } from '../../point/view-note.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { PageTitle } from '../../shell/page-title.js';
import { texts } from '../../texts.js';
import { HistoryFilters } from './history-filters.js';

const PAGE_SIZE = 50;

/** Events up to the point, newest first: who did what, when and why. */
export default function HistoryPage() {
  const { params } = useView();
  const changeView = useChangeView();
  const { data, refetch, isPlaceholderData, is_impossible, turnTo, ...read } = useHistory();
  const { at, event, is_event_stale, overview, error: past_error, event_error } = usePoint();
  const is_stale = isPlaceholderData || is_event_stale;
  // Without the point, the events are not read.
  const error = past_error ?? event_error ?? read.error;
  const with_later = params.get('later') === '1';
  const later = at !== null && event && overview ? overview.to_revision - event.revision : 0;
  return (
    <>
      <PageTitle title={texts.pages.history} />
      <Group justify="space-between" mb="md">
        <Title order={1} size="h3">
          {texts.pages.history}
        </Title>
        {later > 0 && (
          <Switch
            label={texts.history.with_later(later)}
            checked={with_later}
            onChange={({ currentTarget }) =>
              changeView({ later: currentTarget.checked ? '1' : null })
            }
          />
        )}
      </Group>
      <ViewNote />
      <HistoryFilters />
      {error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : is_impossible ? (
        <NoSuchEvents />
      ) : !data ? (
        <Loading />
      ) : data.items.length === 0 ? (
        <EmptyPage total={data.total} is_stale={is_stale} title={texts.history.nothing} />
      ) : (
        <Section title={texts.history.events(data.total)} is_stale={is_stale}>
          <EventList events={data.items} />
          <Paging page={data} shown={data.items.length} text={texts.events.total} onTurn={turnTo} />
        </Section>
      )}
      {params.get('request') && (
        <Group gap="xs" mt="sm">
          <Text size="sm">{texts.history.of_request}</Text>
          <Button size="compact-sm" variant="subtle" onClick={() => changeView({ request: null })}>
            {texts.history.all_requests}
          </Button>
        </Group>
      )}
    </>
  );
}

/** Shown for a family without events. */
function NoSuchEvents() {
  const { family } = useEventFilter();
  if (family === null || isFamily(family)) return <Empty title={texts.history.nothing} />;
  return (
    <Empty title={texts.states.no_such.family}>
      <UserText text={texts.history.no_such_family(family)} />
    </Empty>
  );
}

function useHistory() {
  const { params } = useView();
  const { at, event, overview } = usePoint();
  const filter = useEventFilter();
  const with_later = params.get('later') === '1';
  const [reason, request, resource] = ['reason', 'request', 'resource'].map((name) =>
    params.get(name),
  );
  const { cursors, turnTo } = usePage();
  const query = overview ? queryOf(filter, overview.types) : {};
  const body = {
    ...query,
    ...(reason && { reason }),
    ...(request && { correlation_id: request }),
    ...(resource && { resource_id: resource }),
    ...(at !== null && !with_later && event && { to_revision: event.revision }),
    ...cursors,
    page_size: PAGE_SIZE,
  };
  const history = useDriveQuery(
    ['history', body, overview?.to_revision],
    (drive, options) => drive.organization.history(body, options),
    {
      // The families of types are known, and the revision of the point.
      enabled: overview !== undefined && query !== null && (at === null || event !== null),
      placeholderData: keepPreviousData,
    },
  );
  return { ...history, turnTo, is_impossible: query === null };
}
