import type { ReactNode } from 'react';
import { isRefused } from '../../api/errors.js';
import { type AnyRecord, nameOf } from '../../api/records.js';
import { field, unsortedField } from '../../components/columns.js';
import { Crumbs } from '../../components/crumbs.js';
import { FieldValue } from '../../components/field-value.js';
import { DiskIcon, FileIcon, FolderIcon, TrashIcon } from '../../components/icons.js';
import { RecordLink } from '../../components/record-link.js';
import { type Column, Others, Paging, RecordTable, sorted } from '../../components/record-table.js';
import { Answered, Empty, EmptyPage, Failed, Loading } from '../../components/states.js';
import { UserText } from '../../components/user-text.js';
import { usePoint } from '../../point/point-context.js';
import { useChangeView, usePage, useView } from '../../point/use-view.js';
import { usePointQuery } from '../../point/use-point-query.js';
import { PageLink } from '../../shell/links.js';
import { texts } from '../../texts.js';
import { visibleText } from '../../visible-text.js';
import { FolderTree, useDisks } from './folder-tree.js';
import styles from './directory.module.css';

const PAGE_SIZE = 200;

/** The disks, or a folder, at the point. @param folder_id null: all disks; a disk's id: what is shared there */
export function Directory({ folder_id }: { readonly folder_id: string | null }) {
  return folder_id === null ? <Disks /> : <Folder key={folder_id} id={folder_id} />;
}

function Disks() {
  const query = useDisks();
  return (
    <Answered query={query}>
      {({ items, total }) =>
        items.length === 0 ? (
          <Empty title={texts.table.empty} />
        ) : (
          <>
            <RecordTable
              label={texts.families.disks}
              columns={DISK_COLUMNS}
              rows={items as unknown as readonly AnyRecord[]}
              keyOf={({ id }) => id}
              is_stale={query.isPlaceholderData}
            />
            <Others total={total} shown={items.length} />
          </>
        )
      }
    </Answered>
  );
}

const DISK_COLUMNS: readonly Column<AnyRecord>[] = [
  {
    key: 'name',
    title: texts.columns.name,
    show: (disk) => (
      <FolderLink id={String(disk.root_folder)} icon={<DiskIcon />}>
        <UserText text={nameOf(disk)} />
      </FolderLink>
    ),
  },
  {
    key: 'shared',
    title: texts.directory.shared,
    show: ({ id }) => <FolderLink id={id}>{texts.directory.show_shared}</FolderLink>,
  },
  {
    key: 'trash',
    title: texts.directory.trash,
    show: (disk) => (
      <FolderLink id={String(disk.trash_folder)} icon={<TrashIcon size={16} />}>
        {texts.directory.show_trash}
      </FolderLink>
    ),
  },
];

function Folder({ id }: { readonly id: string }) {
  const listing = useFolder(id);
  const above = listing.data?.breadcrumbs.map(({ resource_id }) => resource_id) ?? [];
  return (
    <div className={styles.columns}>
      <FolderTree current={id} above={above} />
      <div>
        <Content listing={listing} />
      </div>
    </div>
  );
}

/** The content of a folder, or what is shared on a disk. */
function useFolder(id: string) {
  const { cursors } = usePage();
  const of = id.startsWith('DiskID_') ? { disk_id: id } : { folder_id: id };
  return usePointQuery(['folder', id, cursors], (reads, options) =>
    reads.directory.list({ ...of, page_size: PAGE_SIZE, ...cursors }, options),
  );
}

interface ContentProps {
  readonly listing: ReturnType<typeof useFolder>;
}

function Content({ listing }: ContentProps) {
  const { data, error, refetch, isPlaceholderData } = listing;
  const { past, event } = usePoint();
  const { params } = useView();
  const changeView = useChangeView();
  const { turnTo } = usePage();
  const sort = params.get('sort');
  if (error)
    return (
      <>
        <Crumbs crumbs={[]} />
        {isRefused(error) && past.as_user ? (
          <Empty title={texts.view_as.not_visible}>{texts.view_as.not_visible_hint}</Empty>
        ) : (
          <Failed error={error} onRetry={() => void refetch()} />
        )}
      </>
    );
  if (!data) return <Loading />;
  const rows = [...data.folders, ...data.files] as unknown as readonly AnyRecord[];
  const total = data.total_folders + data.total_files;
  const changed = new Set(event?.resource_ids);
  return (
    <>
      <Crumbs crumbs={data.breadcrumbs} />
      {rows.length === 0 ? (
        <EmptyPage
          total={total}
          is_stale={isPlaceholderData}
          title={past.as_user ? texts.view_as.nothing_visible : texts.directory.empty}
        >
          {past.as_user ? texts.view_as.maybe_hidden : undefined}
        </EmptyPage>
      ) : (
        <>
          <RecordTable
            label={visibleText(data.breadcrumbs.at(-1)?.resource_name ?? texts.directory.shared)}
            columns={COLUMNS}
            rows={sorted(rows, COLUMNS, sort)}
            keyOf={(row) => row.id}
            isMarked={(row) => changed.has(row.id)}
            is_stale={isPlaceholderData}
            // Only what is shown could be sorted.
            {...(total === rows.length && {
              sort,
              onSort: (next) => changeView({ sort: next }, { replace: true }),
            })}
          />
          <Paging page={{ ...data, total }} shown={rows.length} onTurn={turnTo} />
        </>
      )}
    </>
  );
}

const isFolder = ({ id }: AnyRecord): boolean => id.startsWith('FolderID_');

const COLUMNS: readonly Column<AnyRecord>[] = [
  {
    key: 'name',
    title: texts.columns.name,
    show: (item) =>
      isFolder(item) ? (
        <FolderLink id={item.id} icon={<FolderIcon />}>
          <UserText text={nameOf(item)} />
        </FolderLink>
      ) : (
        <span className={styles.name}>
          <FileIcon />
          <RecordLink id={item.id} name={nameOf(item)} />
        </span>
      ),
    // Folders first.
    order: (item) => `${isFolder(item) ? 0 : 1}${nameOf(item).toLowerCase()}`,
  },
  field('file_size', {
    show: (item) =>
      isFolder(item) ? null : <FieldValue field="file_size" value={item.file_size} />,
    order: (item) => Number(item.file_size ?? -1),
    is_number: true,
  }),
  field('last_updated_date_ms', { is_minor: true }),
  unsortedField('last_updated_by', { is_minor: true }),
  unsortedField('labels', { is_minor: true }),
  {
    key: 'details',
    title: texts.columns.details,
    on_screen_only: true,
    show: (item) => (isFolder(item) ? <RecordLink id={item.id} name={texts.table.open} /> : null),
  },
];

interface FolderLinkProps {
  readonly id: string;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

function FolderLink({ id, icon, children }: FolderLinkProps) {
  return (
    <PageLink to={`state/files/${encodeURIComponent(id)}`} className={styles.name}>
      {icon}
      {children}
    </PageLink>
  );
}
