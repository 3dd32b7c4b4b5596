import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { HistoryItem } from '../api/answers.js';
import { usePoint } from '../point/point-context.js';
import { PageLink } from '../shell/links.js';
import { Time } from '../time/time.js';
import { texts } from '../texts.js';
import { kindName } from '../point/event-filter.js';
import { Changes } from './changes.js';
import { TextWithHashes } from './hash.js';
import { ChevronDownIcon } from './icons.js';
import { RecordLink } from './record-link.js';
import { UserText } from './user-text.js';
import styles from './event-list.module.css';

interface EventListProps {
  readonly events: readonly HistoryItem[];
  /** The record whose changes are shown; absent: those of all records. */
  readonly of_record?: string;
}

/** Events with time, person, reason and changes. The one at the point is pointed out; a click leads to another. */
export function EventList({ events, of_record }: EventListProps) {
  const { event } = usePoint();
  return (
    <ol className={styles.list}>
      {events.map((one) => (
        <EventItem
          key={one.revision}
          event={one}
          of_record={of_record}
          is_current={one.revision === event?.revision}
        />
      ))}
    </ol>
  );
}

interface EventItemProps {
  readonly event: HistoryItem;
  readonly of_record: string | undefined;
  readonly is_current: boolean;
}

function EventItem({ event, of_record, is_current }: EventItemProps) {
  const { goTo } = usePoint();
  const [is_open, setOpen] = useState(false);
  const { revision, timestamp_ms, summary, reason, actor, actor_name } = event;
  return (
    <li className={styles.item} aria-current={is_current ? 'true' : undefined}>
      <div className={styles.head}>
        <span className={styles.when}>
          <Time ms={timestamp_ms} />
          <span className={styles.revision}>{texts.point.revision(revision)}</span>
        </span>
        <UnstyledButton
          className={styles.summary!}
          title={texts.events.go_to(revision)}
          onClick={() => goTo(`r${revision}`)}
        >
          <TextWithHashes text={summary} />
        </UnstyledButton>
        <span className={styles.who}>
          {actor.user_id ? (
            <RecordLink id={actor.user_id} name={actor_name} />
          ) : (
            <UserText text={actor_name} />
          )}
        </span>
        <UnstyledButton
          className={styles.more!}
          aria-expanded={is_open}
          aria-label={texts.events.details(revision)}
          onClick={() => setOpen(!is_open)}
        >
          <ChevronDownIcon size={16} />
        </UnstyledButton>
      </div>
      {reason && (
        <p className={styles.reason}>
          {texts.events.reason}: <UserText text={reason} />
        </p>
      )}
      {is_open && <Details event={event} of_record={of_record} />}
    </li>
  );
}

function Details({ event, of_record }: Omit<EventItemProps, 'is_current'>) {
  const { type, command, correlation_id, allowed_by, actor, hash, resource_count } = event;
  const changes = event.changes.filter(
    ({ resource_id }) => of_record === undefined || resource_id === of_record,
  );
  return (
    <div className={styles.details}>
      <Changes changes={changes} of_one_record={of_record !== undefined} />
      {of_record !== undefined && resource_count > 1 && (
        <p>{texts.events.other_records(resource_count - 1)}</p>
      )}
      <dl>
        <dt>{texts.events.kind}</dt>
        <dd>{kindName(type)}</dd>
        <dt>{texts.events.command}</dt>
        <dd>{command}</dd>
        <dt>{texts.events.via}</dt>
        <dd>{actor.via}</dd>
        <dt>{texts.events.allowed_by}</dt>
        <dd className={styles.links}>
          {allowed_by.map((by) => (
            <RecordLink key={by} id={by} />
          ))}
        </dd>
        <dt>{texts.events.request}</dt>
        <dd>
          <PageLink to="history" changes={{ request: correlation_id }}>
            {correlation_id}
          </PageLink>
        </dd>
        <dt>{texts.events.hash}</dt>
        <dd className={styles.hash}>{hash}</dd>
      </dl>
    </div>
  );
}
