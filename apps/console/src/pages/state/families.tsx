import type { ReactNode } from 'react';
import { Badge } from '@mantine/core';
import type { MemberPreview, Page } from '../../api/answers.js';
import type { Drive, Reads } from '../../api/drive.js';
import { type AnyRecord, nameOf } from '../../api/records.js';
import { RecordLink } from '../../components/record-link.js';
import { field, textOf } from '../../components/columns.js';
import type { Column } from '../../components/record-table.js';
import type { PageCursors } from '../../point/use-view.js';
import { texts } from '../../texts.js';

/** A page of a list, as operations that list records take it. */
export interface PageRequest extends PageCursors {
  readonly direction: 'ASC' | 'DESC';
  readonly page_size: number;
}

type ListRecords = (
  reads: Reads,
  page: PageRequest & { readonly filters?: string },
  options: { readonly signal: AbortSignal },
) => Promise<Page<object>>;

type ReplayFamily = NonNullable<
  NonNullable<Parameters<Drive['organization']['replay']>[0]>['include']
>[number];

/**
 * Where the records of a family come from: an operation that lists them, also as a user saw them; or a replay, which
 * shows them to the owner only.
 */
type Source =
  { readonly list: ListRecords; readonly searches: boolean } | { readonly replay: ReplayFamily };

/** A family of records as a table. */
export interface Family {
  /** Its name in the API, and the last part of its address; its name for people is in `texts.families`. */
  readonly key: keyof typeof texts.families;
  readonly source: Source;
  readonly columns: readonly Column<AnyRecord>[];
}

/** Families that the server lists and searches. */
type Searched = 'contacts' | 'groups' | 'disks' | 'labels' | 'webhooks' | 'drives' | 'purchases';

const searched = (key: Searched): Pick<Family, 'key' | 'source'> => ({
  key,
  source: { list: (reads, page, options) => reads[key].list(page, options), searches: true },
});

const replayed = (key: ReplayFamily & Family['key']): Pick<Family, 'key' | 'source'> => ({
  key,
  source: { replay: key },
});

/** A column with a record that another field names. */
function link(key: string, name: string): Column<AnyRecord> {
  return field(key, {
    show: (record) => <RecordLink id={textOf(record, key)} name={textOf(record, name)} />,
    order: (record) => textOf(record, name).toLowerCase(),
  });
}

const name: Column<AnyRecord> = {
  key: 'name',
  title: texts.columns.name,
  show: (record) => <RecordLink id={record.id} name={nameOf(record)} />,
  order: (record) => nameOf(record).toLowerCase(),
};
const created = field('created_at', { is_minor: true });
const labels = field('labels', { is_minor: true, order: (record) => textOf(record, 'labels') });
const types = field('permission_types', {
  show: (record) => <Words values={record.permission_types} />,
  order: (record) => textOf(record, 'permission_types'),
});

function Words({ values }: { readonly values: unknown }): ReactNode {
  return Array.isArray(values) ? values.join(', ') : '';
}

const grants = (resource: Column<AnyRecord>): readonly Column<AnyRecord>[] => [
  link('granted_to', 'grantee_name'),
  types,
  resource,
  link('granted_by', 'granter_name'),
  field('begin_date_ms'),
  field('expiry_date_ms'),
  {
    key: 'id',
    title: texts.columns.grant,
    on_screen_only: true,
    show: ({ id }) => <RecordLink id={id} name={texts.table.open} />,
  },
];

/** All families, in the order of the menu; files and folders have a page of their own. */
export const FAMILIES: readonly Family[] = [
  {
    ...searched('contacts'),
    columns: [name, field('email'), field('group_count', { is_number: true }), labels, created],
  },
  {
    ...searched('groups'),
    columns: [
      name,
      {
        key: 'members',
        title: texts.columns.members,
        show: (group) => <Members group={group} />,
      },
      field('member_count', { is_number: true }),
      field('public_note', { is_minor: true }),
      created,
    ],
  },
  {
    ...replayed('group_invites'),
    columns: [
      {
        ...link('invitee_id', 'invitee_name'),
        show: (record) => (
          <RecordLink
            id={record.id}
            name={textOf(record, 'invitee_name') || textOf(record, 'invitee_id')}
          />
        ),
      },
      link('group_id', 'group_name'),
      field('role'),
      field('inviter_id'),
      field('active_from'),
      field('expires_at'),
      created,
    ],
  },
  {
    ...searched('disks'),
    columns: [name, field('disk_type'), field('used_bytes', { is_number: true }), created],
  },
  {
    ...replayed('directory_permissions'),
    columns: grants(link('resource_id', 'resource_name')),
  },
  {
    key: 'system_permissions',
    source: {
      list: (reads, { filters: _, ...page }, options) =>
        reads.permissions.system.list(page, options),
      searches: false,
    },
    columns: grants(link('resource_id', 'resource_name')),
  },
  {
    ...replayed('api_keys'),
    columns: [
      name,
      link('user_id', 'user_name'),
      field('begins_at'),
      field('expires_at'),
      field('is_revoked'),
      created,
    ],
  },
  {
    ...searched('labels'),
    columns: [
      { ...name, show: (record) => <Label record={record} /> },
      field('description'),
      field('resources', {
        show: ({ resources }) => (Array.isArray(resources) ? resources.length : 0),
        order: ({ resources }) => (Array.isArray(resources) ? resources.length : 0),
        is_number: true,
      }),
      created,
    ],
  },
  {
    ...searched('webhooks'),
    columns: [name, field('event'), field('alt_index'), field('url'), field('active'), created],
  },
  {
    ...searched('drives'),
    columns: [name, field('host_url'), field('last_indexed_ms', { is_minor: true }), created],
  },
  {
    ...replayed('shortlinks'),
    columns: [field('slug'), field('original_url'), field('created_by'), created],
  },
  {
    ...searched('purchases'),
    columns: [name, field('vendor_name'), field('status'), field('pricing'), created],
  },
  {
    ...replayed('bookmarks'),
    columns: [field('name'), field('revision', { is_number: true }), field('at_ms'), field('note')],
  },
  {
    ...replayed('superswaps'),
    columns: [field('old_user_id'), field('new_user_id'), created],
  },
];

/** Names in a cell: enough to recognize a group. */
const MOST_MEMBERS = 5;

function Members({ group }: { readonly group: AnyRecord }) {
  const previews = (group.member_previews ?? []) as readonly MemberPreview[];
  const members = previews.slice(0, MOST_MEMBERS);
  const others = Number(group.member_count) - members.length;
  return (
    <>
      {members.map(({ user_id, name: member, is_admin }, at) => (
        <span key={user_id}>
          {at > 0 && ', '}
          <RecordLink id={user_id} name={member} />
          {is_admin && ` ${texts.table.admin}`}
        </span>
      ))}
      {others > 0 && ` ${texts.table.others(others)}`}
    </>
  );
}

function Label({ record }: { readonly record: AnyRecord }) {
  return (
    <Badge
      component="span"
      variant="dot"
      color={textOf(record, 'color') || 'gray'}
      tt="none"
      size="lg"
      fw={500}
    >
      <RecordLink id={record.id} name={nameOf(record)} />
    </Badge>
  );
}
