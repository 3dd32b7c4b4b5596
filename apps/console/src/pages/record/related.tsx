import type { ReactNode } from 'react';
import type { GroupPreview, Page } from '../../api/answers.js';
import type { Reads } from '../../api/drive.js';
import { isDenied } from '../../api/errors.js';
import type { AnyRecord } from '../../api/records.js';
import { More, type NextPage, useGrowingList } from '../../components/growing-list.js';
import { RecordLink } from '../../components/record-link.js';
import { Section } from '../../components/section.js';
import { Failed } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import { useReads, viewOptions } from '../../point/use-point-query.js';
import { PageLink } from '../../shell/links.js';
import { Period, periodOf } from '../../time/period.js';
import { texts } from '../../texts.js';
import { FieldValue } from '../../components/field-value.js';
import { Versions } from './versions.js';
import styles from './record.module.css';

/** What belongs to a record: members of a group, groups and keys of a person, grants and versions of a file. */
export function Related({ record }: { readonly record: AnyRecord }) {
  const { id } = record;
  if (id.startsWith('GroupID_')) return <Invites group_id={id} />;
  if (id.startsWith('UserID_')) return <Person contact={record} />;
  if (id.startsWith('FolderID_'))
    return (
      <>
        <p>
          <PageLink to={`state/files/${encodeURIComponent(id)}`}>
            {texts.record.open_folder}
          </PageLink>
        </p>
        <Grants resource_id={id} />
      </>
    );
  if (id.startsWith('FileID_'))
    return (
      <>
        <Versions file={record} />
        <Grants resource_id={id} />
      </>
    );
  return null;
}

/** Reads a page of the records that belong to another one; an array has all of them. */
type ReadRelated = (
  reads: Reads,
  page: NextPage,
  options: { readonly signal: AbortSignal },
) => Promise<Omit<Page<object>, 'cursor_up'> | readonly object[]>;

function useRelated(of: string, title: string, read: ReadRelated) {
  const { past } = usePoint();
  const reads = useReads();
  return useGrowingList<AnyRecord>({
    key: ['related', of, title, past],
    read: async (page, options) => {
      const answer = await read(await reads(), page, options);
      const { items, total, cursor_down } =
        'items' in answer ? answer : { items: answer, total: answer.length, cursor_down: null };
      return { items: items as readonly AnyRecord[], total, cursor_down };
    },
    keepsPrevious: (key) => key[2] === of && key[3] === title,
    ...viewOptions(past),
  });
}

interface RelatedListProps {
  readonly title: string;
  /** The record that the others belong to. */
  readonly of: string;
  readonly read: ReadRelated;
  readonly renderItem: (record: AnyRecord) => ReactNode;
}

/** A list that the caller may not see is omitted. */
function RelatedList({ title, of, read, renderItem }: RelatedListProps) {
  const list = useRelated(of, title, read);
  const { rows, total, error } = list;
  if (!rows)
    return error && !isDenied(error) ? (
      <Section title={title}>
        <Failed error={error} onRetry={() => void list.refetch()} />
      </Section>
    ) : null;
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={styles.rows} aria-busy={list.is_stale}>
        {rows.map((record) => (
          <li key={record.id}>{renderItem(record)}</li>
        ))}
      </ul>
      {(total > rows.length || error) && (
        <More list={list} shown={rows.length} text={texts.table.total} />
      )}
    </Section>
  );
}

function Invites({ group_id }: { readonly group_id: string }) {
  return (
    <RelatedList
      title={texts.record.members}
      of={group_id}
      read={(reads, page, options) => reads.groups.invites.list({ group_id, ...page }, options)}
      renderItem={(invite) => (
        <>
          <RecordLink id={String(invite.invitee_id)} name={String(invite.invitee_name)} />{' '}
          <span>{texts.record.member(String(invite.role))}</span>{' '}
          <RecordLink id={invite.id} name={texts.record.invite} /> <Period {...periodOf(invite)} />
        </>
      )}
    />
  );
}

function Person({ contact }: { readonly contact: AnyRecord }) {
  const groups = (contact.group_previews ?? []) as readonly GroupPreview[];
  const others = Number(contact.group_count) - groups.length;
  return (
    <>
      {groups.length > 0 && (
        <Section title={texts.record.groups}>
          <ul className={styles.rows}>
            {groups.map(({ group_id, group_name, is_admin }) => (
              <li key={group_id}>
                <RecordLink id={group_id} name={group_name} /> {is_admin && texts.table.admin}
              </li>
            ))}
            {others > 0 && <li>{texts.table.others(others)}</li>}
          </ul>
        </Section>
      )}
      <RelatedList
        title={texts.families.api_keys}
        of={contact.id}
        read={(reads, _page, options) => reads.api_keys.list(contact.id, options)}
        renderItem={(key) => (
          <>
            <RecordLink id={key.id} name={String(key.name)} />
            <Period {...periodOf(key)} /> {key.is_revoked === true && texts.record.revoked}
          </>
        )}
      />
    </>
  );
}

function Grants({ resource_id }: { readonly resource_id: string }) {
  return (
    <RelatedList
      title={texts.record.grants}
      of={resource_id}
      read={(reads, page, options) =>
        reads.permissions.directory.list({ filters: { resource_id }, ...page }, options)
      }
      renderItem={(grant) => (
        <>
          <RecordLink id={String(grant.granted_to)} name={String(grant.grantee_name)} />{' '}
          <FieldValue field="permission_types" value={grant.permission_types} />{' '}
          <RecordLink id={grant.id} name={texts.record.grant} /> <Period {...periodOf(grant)} />
        </>
      )}
    />
  );
}
