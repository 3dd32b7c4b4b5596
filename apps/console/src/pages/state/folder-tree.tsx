import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { readWhole } from '../../api/whole-list.js';
import { DiskIcon, FolderIcon, NextIcon } from '../../components/icons.js';
import { UserText } from '../../components/user-text.js';
import { usePointQuery } from '../../point/use-point-query.js';
import { PageLink } from '../../shell/links.js';
import { texts } from '../../texts.js';
import { visibleText } from '../../visible-text.js';
import styles from './directory.module.css';

const MOST_FOLDERS = 200;

export function useDisks() {
  return usePointQuery(['disks', 'all'], (reads, options) =>
    readWhole((page) => reads.disks.list(page, options)),
  );
}

interface FolderTreeProps {
  readonly current: string | null;
  /** Folders above the current one: they are open. */
  readonly above: readonly string[];
}

/** The folders at the point, below their disks; each reads its own when it is opened. */
export function FolderTree({ current, above }: FolderTreeProps) {
  const { data, isPlaceholderData } = useDisks();
  const others = data ? data.total - data.items.length : 0;
  return (
    <nav className={styles.tree} aria-label={texts.directory.tree} aria-busy={isPlaceholderData}>
      <ul>
        {data?.items.map((disk) => (
          <Branch
            key={disk.id}
            id={disk.root_folder}
            name={disk.name}
            is_disk
            current={current}
            above={above}
          />
        ))}
        {others > 0 && <li className={styles.others}>{texts.table.others(others)}</li>}
      </ul>
    </nav>
  );
}

interface BranchProps extends FolderTreeProps {
  readonly id: string;
  readonly name: string;
  readonly is_disk?: boolean;
  /** False: there is nothing to open. */
  readonly has_folders?: boolean;
}

function Branch({ id, name, is_disk = false, has_folders = true, current, above }: BranchProps) {
  const [toggled, setToggled] = useState<boolean | null>(null);
  const is_open = toggled ?? (above.includes(id) || current === id || is_disk);
  return (
    <li>
      <div className={styles.branch}>
        <ActionIcon
          className={styles.toggle!}
          variant="subtle"
          color="gray"
          size="xs"
          aria-label={texts.directory.folders_of(visibleText(name))}
          aria-expanded={is_open}
          disabled={!has_folders}
          onClick={() => setToggled(!is_open)}
        >
          <NextIcon size={14} />
        </ActionIcon>
        <PageLink to={`state/files/${encodeURIComponent(id)}`} current={current === id}>
          {is_disk ? <DiskIcon size={16} /> : <FolderIcon size={16} />}
          <span>
            <UserText text={name} />
          </span>
        </PageLink>
      </div>
      {is_open && has_folders && <Branches id={id} current={current} above={above} />}
    </li>
  );
}

function Branches({ id, current, above }: FolderTreeProps & { readonly id: string }) {
  const { data, isPlaceholderData } = usePointQuery(['folders', id], (reads, options) =>
    reads.directory.list({ folder_id: id, page_size: MOST_FOLDERS }, options),
  );
  if (!data || data.folders.length === 0) return null;
  const others = data.total_folders - data.folders.length;
  return (
    <ul aria-busy={isPlaceholderData}>
      {data.folders.map((folder) => (
        <Branch
          key={folder.id}
          id={folder.id}
          name={folder.name}
          has_folders={folder.subfolder_uuids.length > 0}
          current={current}
          above={above}
        />
      ))}
      {others > 0 && <li className={styles.others}>{texts.table.others(others)}</li>}
    </ul>
  );
}
