import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Reads } from '../../api/drive.js';
import type { AnyRecord } from '../../api/records.js';
import { RecordLink } from '../../components/record-link.js';
import { Section } from '../../components/section.js';
import { usePoint } from '../../point/point-context.js';
import { useReads } from '../../point/use-reads.js';
import { useDrive } from '../../session/session-context.js';
import { PageLink } from '../../shell/links.js';
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

/** Reads a list of at most a thousand records that belong to another one. */
type ReadRelated = (reads: Reads, options: { readonly signal: AbortSignal }) => Promise<Related>;
type Related = { readonly items: readonly object[] } | readonly object[];

function useRelated(of: string, title: string, read: ReadRelated) {
  const drive = useDrive();
  const { past } = usePoint();
  const reads = useReads();
  return useQuery({
    queryKey: [drive.drive_id, 'related', of, title, past],
    queryFn: async ({ signal }) => {
      const answer = await read(reads, { signal });
      return ('items' in answer ? answer.items : answer) as readonly AnyRecord[];
    },
    placeholderData: (previous, query) => (query?.queryKey[2] === of ? previous : undefined),
    staleTime: past.at === null ? 30_000 : Infinity,
  });
}

interface RelatedListProps {
  readonly title: string;
  /** The record that the others belong to. */
  readonly of: string;
  readonly read: ReadRelated;
  readonly renderItem: (record: AnyRecord) => ReactNode;
}

/** What may not be seen is left out. */
function RelatedList({ title, of, read, renderItem }: RelatedListProps) {
  const { data, error } = useRelated(of, title, read);
  if (error || !data || data.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={styles.rows}>
        {data.map((record) => (
          <li key={record.id}>{renderItem(record)}</li>
        ))}
      </ul>
    </Section>
  );
}

function Invites({ group_id }: { readonly group_id: string }) {
  return (
    <RelatedList
      title={texts.record.members}
      of={group_id}
      read={(reads, options) => reads.groups.invites.list({ group_id, page_size: 1000 }, options)}
      renderItem={(invite) => (
        <>
          <RecordLink id={String(invite.invitee_id)} name={String(invite.invitee_name)} />{' '}
          <span>{texts.record.member(String(invite.role))}</span>{' '}
          <RecordLink id={invite.id} name={texts.record.invite} />
        </>
      )}
    />
  );
}

interface GroupPreview {
  readonly group_id: string;
  readonly group_name: string;
  readonly is_admin: boolean;
}

function Person({ contact }: { readonly contact: AnyRecord }) {
  const groups = (contact.group_previews ?? []) as readonly GroupPreview[];
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
          </ul>
        </Section>
      )}
      <RelatedList
        title={texts.families.api_keys}
        of={contact.id}
        read={(reads, options) => reads.api_keys.list(contact.id, options)}
        renderItem={(key) => (
          <>
            <RecordLink id={key.id} name={String(key.name)} />{' '}
            {key.is_revoked === true && texts.record.revoked}
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
      read={(reads, options) =>
        reads.permissions.directory.list({ filters: { resource_id }, page_size: 1000 }, options)
      }
      renderItem={(grant) => (
        <>
          <RecordLink id={String(grant.granted_to)} name={String(grant.grantee_name)} />{' '}
          <FieldValue field="permission_types" value={grant.permission_types} />{' '}
          <RecordLink id={grant.id} name={texts.record.grant} />
        </>
      )}
    />
  );
}
