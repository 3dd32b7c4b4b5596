import { Badge, Group, Title } from '@mantine/core';
import { useParams } from 'wouter';
import { describeError, isRefused, isUnknownId } from '../../api/errors.js';
import { type AnyRecord, kindOf } from '../../api/records.js';
import { useNameOf, useRecord } from '../../components/record-link.js';
import { Section } from '../../components/section.js';
import { Empty, Failed, Loading } from '../../components/states.js';
import { Changes } from '../../components/changes.js';
import { UserText } from '../../components/user-text.js';
import { pointProblem } from '../../point/event-line.js';
import { usePoint } from '../../point/point-context.js';
import { SeenBy } from '../../point/seen-by.js';
import { NotFound, PageTitle } from '../../shell/page-title.js';
import { decodedPath } from '../../shell/links.js';
import { texts } from '../../texts.js';
import { visibleText } from '../../visible-text.js';
import { Fields } from './fields.js';
import { RecordHistory, useRecordHistory } from './record-history.js';
import { Related } from './related.js';
import { RecordPath } from './record-path.js';
import styles from './record.module.css';

/** A record at the point, what the event at the point changed of it, and its history. */
export default function RecordPage() {
  const id = decodedPath(useParams()['*'] ?? '');
  const kind = kindOf(id);
  const { past, event, event_error, error: point_error } = usePoint();
  const { data, error, refetch, isPlaceholderData } = useRecord(id);
  const is_point_pending = past.at !== null && !event && !event_error && !point_error;
  const name = useNameOf(data);
  const history = useRecordHistory(id, kind !== undefined);
  if (!kind)
    return ID_WITHOUT_PAGE.test(id) ? (
      <NotFound title={texts.states.not_found}>{texts.record.no_such_kind}</NotFound>
    ) : (
      <NotFound title={texts.states.no_such.record}>{texts.record.no_id(visibleText(id))}</NotFound>
    );
  // Of a point that exists, only the id can be wrong.
  const is_malformed =
    describeError(error).status === 400 && !is_point_pending && event_error === null;
  if (isUnknownId(history.error) || is_malformed)
    return (
      <NotFound title={texts.states.no_such.record}>
        {texts.record.never_existed(visibleText(id))}
      </NotFound>
    );
  const family = texts.kinds[kind.family as keyof typeof texts.kinds];
  return (
    <>
      <PageTitle title={name ?? family} />
      <RecordPath id={id} family={kind.family} />
      <SeenBy>
        {event_error ? (
          <Empty title={pointProblem(past.at, event_error)} />
        ) : data && !error ? (
          <div aria-busy={isPlaceholderData}>
            <Shown key={`record ${id}`} record={data} family={family} />
          </div>
        ) : error ? (
          isRefused(error) ? (
            // Whether there ever was such a record, the history says.
            history.isPending || is_point_pending ? (
              <Loading />
            ) : (
              <Empty title={past.as_user ? texts.view_as.not_visible : texts.record.not_there}>
                {past.as_user
                  ? texts.view_as.not_visible_hint
                  : history.error
                    ? texts.record.not_there_or_hidden
                    : texts.record.not_there_hint}
              </Empty>
            )
          ) : (
            <Failed error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <Loading />
        )}
      </SeenBy>
      <RecordHistory id={id} history={history} />
    </>
  );
}

/** Ids of the families whose records have no page. */
const ID_WITHOUT_PAGE = /^[A-Z][A-Za-z]*ID_.|^PUBLIC$|^TABLE_[A-Z_]+$/;

interface ShownProps {
  readonly record: AnyRecord;
  readonly family: string;
}

function Shown({ record, family }: ShownProps) {
  const { event, past } = usePoint();
  const name = useNameOf(record);
  // What the event changed is known as the owner sees it, also fields that others do not.
  const seen = past.as_user === null ? event?.changes : undefined;
  const changes = seen?.filter(({ resource_id }) => resource_id === record.id) ?? [];
  return (
    <>
      <Group gap="sm" mb="md">
        <Title order={1} size="h3" className={styles.title!}>
          <UserText text={name ?? ''} />
        </Title>
        <Badge variant="default" tt="none" radius="sm" fw={500}>
          {family}
        </Badge>
      </Group>
      {changes.length > 0 && (
        <Section title={texts.record.changed_by_event} is_marked>
          <Changes changes={changes} of_one_record />
        </Section>
      )}
      <Related record={record} />
      <Section title={texts.record.fields}>
        <Fields record={record} changed={new Set(changes.map(({ field }) => field))} />
      </Section>
    </>
  );
}
