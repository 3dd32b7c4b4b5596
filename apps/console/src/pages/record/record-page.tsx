import { Badge, Group, Title } from '@mantine/core';
import { useParams } from 'wouter';
import { isRefused } from '../../api/errors.js';
import { type AnyRecord, kindOf } from '../../api/records.js';
import { useNameOf, useRecord } from '../../components/record-link.js';
import { Section } from '../../components/section.js';
import { Empty, Failed, Loading } from '../../components/states.js';
import { Changes } from '../../components/changes.js';
import { UserText } from '../../components/user-text.js';
import { usePoint } from '../../point/point-context.js';
import { PageTitle } from '../../shell/page-title.js';
import { texts } from '../../texts.js';
import { Fields } from './fields.js';
import { RecordHistory } from './record-history.js';
import { Related } from './related.js';
import { RecordPath } from './record-path.js';
import styles from './record.module.css';

/** A record at the point, what the event at the point changed of it, and its history. */
export default function RecordPage() {
  const id = decodeURIComponent(useParams()['*'] ?? '');
  const kind = kindOf(id);
  const { past } = usePoint();
  const { data, error, refetch } = useRecord(id);
  const name = useNameOf(data);
  if (!kind)
    return (
      <>
        <PageTitle title={texts.states.not_found} />
        <Empty title={texts.states.not_found}>{texts.record.no_such_kind}</Empty>
      </>
    );
  const family = texts.kinds[kind.family as keyof typeof texts.kinds];
  return (
    <>
      <PageTitle title={name ?? family} />
      <RecordPath id={id} family={kind.family} />
      {data && !error ? (
        <Shown key={`record ${id}`} record={data} family={family} />
      ) : error ? (
        isRefused(error) ? (
          <Empty title={past.as_user ? texts.view_as.not_visible : texts.record.not_there}>
            {past.as_user ? texts.view_as.not_visible_hint : texts.record.not_there_hint}
          </Empty>
        ) : (
          <Failed error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Loading />
      )}
      <RecordHistory key={`history ${id}`} id={id} />
    </>
  );
}

interface ShownProps {
  readonly record: AnyRecord;
  readonly family: string;
}

function Shown({ record, family }: ShownProps) {
  const { event } = usePoint();
  const name = useNameOf(record);
  const changes = event?.changes.filter(({ resource_id }) => resource_id === record.id) ?? [];
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
