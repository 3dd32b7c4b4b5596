import type { Breadcrumb } from '../api/answers.js';
import { PageLink } from '../shell/links.js';
import { texts } from '../texts.js';
import { UserText } from './user-text.js';
import styles from './crumbs.module.css';

interface CrumbsProps {
  readonly crumbs: readonly Breadcrumb[];
}

/** The way from the disks to a folder or file. */
export function Crumbs({ crumbs }: CrumbsProps) {
  return (
    <nav aria-label={texts.directory.path}>
      <ol className={styles.crumbs}>
        <li>
          <PageLink to="state/files">{texts.families.disks}</PageLink>
        </li>
        {crumbs.map(({ resource_id, resource_name }, at) => (
          <li key={resource_id} aria-current={at === crumbs.length - 1 ? 'page' : undefined}>
            {resource_id.startsWith('FolderID_') ? (
              <PageLink to={`state/files/${encodeURIComponent(resource_id)}`}>
                <UserText text={resource_name} />
              </PageLink>
            ) : (
              <UserText text={resource_name} />
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
