import type { ReactNode } from 'react';
import { Badge } from '@mantine/core';
import type { MemberPreview, Page } from '../../api/answers.js';
import type { Drive, Reads } from '../../api/drive.js';
import { type AnyRecord, nameOf } from '../../api/records.js';
import { FieldValue } from '../../components/field-value.js';
import { RecordLink } from '../../components/record-link.js';
import type { Column } from '../../components/record-table.js';
import type { PageCursors } from '../../point/use-page.js';
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

/** A family of records as a table. */
export interface Family {
  /** Last part of its address; its name is in `texts.families`. */
  readonly key: string;
  /** Families of `replay` whose counts it shows. */
  readonly counted: readonly string[];
  /**
   * Where the records come from: an operation that lists them, also as a user saw them; or a replay, which shows them
   * to the owner only.
   */
  readonly source:
    { readonly list: ListRecords; readonly searches: boolean } | { readonly replay: ReplayFamily };
  readonly columns: readonly Column<AnyRecord>[];
}

function text(record: AnyRecord, key: string): string {
  const value = record[key] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function field(key: string, options: Partial<Column<AnyRecord>> = {}): Column<AnyRecord> {
  return {
    key,
    title: texts.columns[key as keyof typeof texts.columns] ?? key,
    show: (record) => <FieldValue field={key} value={record[key]} />,
    order: (record) => {
      const value = record[key];
      return typeof value === 'number' ? value : text(record, key).toLowerCase();
    },
    ...options,
  };
}

/** A column with a record that another field names. */
function link(key: string, name: string): Column<AnyRecord> {
  return field(key, {
    show: (record) => <RecordLink id={text(record, key)} name={text(record, name)} />,
    order: (record) => text(record, name).toLowerCase(),
  });
}

const name: Column<AnyRecord> = {
  key: 'name',
  title: texts.columns.name,
  show: (record) => <RecordLink id={record.id} name={nameOf(record)} />,
  order: (record) => nameOf(record).toLowerCase(),
};
const created = field('created_at', { is_minor: true });
const labels = field('labels', { is_minor: true, order: (record) => text(record, 'labels') });
const types = field('permission_types', {
  show: (record) => <Words values={record.permission_types} />,
  order: (record) => text(record, 'permission_types'),
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
    key: 'contacts',
    counted: ['contacts'],
    source: { list: (reads, page, options) => reads.contacts.list(page, options), searches: true },
    columns: [name, field('email'), field('group_count', { is_number: true }), labels, created],
  },
  {
    key: 'groups',
    counted: ['groups'],
    source: { list: (reads, page, options) => reads.groups.list(page, options), searches: true },
    columns: [
      name,
      {
        key: 'members',
        title: texts.columns.members,
        show: ({ member_previews }) => <Members previews={member_previews} />,
      },
      field('member_count', { is_number: true }),
      field('public_note', { is_minor: true }),
      created,
    ],
  },
  {
    key: 'group_invites',
    counted: ['group_invites'],
    source: { replay: 'group_invites' },
    columns: [
      {
        ...link('invitee_id', 'invitee_name'),
        show: (record) => (
          <RecordLink
            id={record.id}
            name={text(record, 'invitee_name') || text(record, 'invitee_id')}
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
    key: 'disks',
    counted: ['disks'],
    source: { list: (reads, page, options) => reads.disks.list(page, options), searches: true },
    columns: [name, field('disk_type'), field('used_bytes', { is_number: true }), created],
  },
  {
    key: 'directory_permissions',
    counted: ['directory_permissions'],
    source: { replay: 'directory_permissions' },
    columns: grants(link('resource_id', 'resource_name')),
  },
  {
    key: 'system_permissions',
    counted: ['system_permissions'],
    source: {
      list: (reads, { filters: _, ...page }, options) =>
        reads.permissions.system.list(page, options),
      searches: false,
    },
    columns: grants(link('resource_id', 'resource_name')),
  },
  {
    key: 'api_keys',
    counted: ['api_keys'],
    source: { replay: 'api_keys' },
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
    key: 'labels',
    counted: ['labels'],
    source: { list: (reads, page, options) => reads.labels.list(page, options), searches: true },
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
    key: 'webhooks',
    counted: ['webhooks'],
    source: { list: (reads, page, options) => reads.webhooks.list(page, options), searches: true },
    columns: [name, field('event'), field('alt_index'), field('url'), field('active'), created],
  },
  {
    key: 'drives',
    counted: ['drives'],
    source: { list: (reads, page, options) => reads.drives.list(page, options), searches: true },
    columns: [name, field('host_url'), field('last_indexed_ms', { is_minor: true }), created],
  },
  {
    key: 'shortlinks',
    counted: ['shortlinks'],
    source: { replay: 'shortlinks' },
    columns: [field('slug'), field('original_url'), field('created_by'), created],
  },
  {
    key: 'purchases',
    counted: ['purchases'],
    source: { list: (reads, page, options) => reads.purchases.list(page, options), searches: true },
    columns: [name, field('vendor_name'), field('status'), field('pricing'), created],
  },
  {
    key: 'bookmarks',
    counted: ['bookmarks'],
    source: { replay: 'bookmarks' },
    columns: [field('name'), field('revision', { is_number: true }), field('at_ms'), field('note')],
  },
  {
    key: 'superswaps',
    counted: ['superswaps'],
    source: { replay: 'superswaps' },
    columns: [field('old_user_id'), field('new_user_id'), created],
  },
];

/** Names in a cell: enough to recognize a group. */
const MOST_MEMBERS = 5;

function Members({ previews }: { readonly previews: unknown }) {
  const members = Array.isArray(previews) ? (previews as readonly MemberPreview[]) : [];
  const others = members.length - MOST_MEMBERS;
  return (
    <>
      {members.slice(0, MOST_MEMBERS).map(({ user_id, name: member, is_admin }, at) => (
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
      color={text(record, 'color') || 'gray'}
      tt="none"
      size="lg"
      fw={500}
    >
      <RecordLink id={record.id} name={nameOf(record)} />
    </Badge>
  );
}
