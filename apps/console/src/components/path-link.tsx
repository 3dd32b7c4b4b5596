import { RecordLink } from './record-link.js';
import { UserText } from './user-text.js';
import styles from './path-link.module.css';

interface PathLinkProps {
  readonly id: string;
  /** Path of a folder or file, such as `DiskID_…::/Reports/2026/`; empty for other records. */
  readonly path: string;
}

/** A folder or file by its name, with the folders above it; another record by its name. */
export function PathLink({ id, path }: PathLinkProps) {
  const parts = path
    .slice(path.indexOf('::') + 2)
    .split('/')
    .filter((part) => part !== '');
  const name = path.includes('::') ? parts.at(-1) : null;
  return (
    <>
      <RecordLink id={id} name={name} />
      {name && parts.length > 1 && (
        <span className={styles.above}>
          {' '}
          /<UserText text={parts.slice(0, -1).join('/')} />
        </span>
      )}
    </>
  );
}
