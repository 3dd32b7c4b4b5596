import { usePointQuery } from '../../point/use-point-query.js';
import { PageLink } from '../../shell/links.js';
import { texts } from '../../texts.js';
import { Crumbs } from '../../components/crumbs.js';
import styles from '../../components/crumbs.module.css';

interface RecordPathProps {
  readonly id: string;
  readonly family: string;
}

/** The way to a record: the table of its family, or the folders above it. */
export function RecordPath({ id, family }: RecordPathProps) {
  if (family === 'files' || family === 'folders') return <DirectoryPath id={id} family={family} />;
  return (
    <nav aria-label={texts.directory.path}>
      <ol className={styles.crumbs}>
        <li>
          <PageLink to={`state/${family}`}>
            {texts.families[family as keyof typeof texts.families]}
          </PageLink>
        </li>
      </ol>
    </nav>
  );
}

function DirectoryPath({ id, family }: RecordPathProps) {
  const { data } = usePointQuery(['path', id], async ({ directory }, options) => {
    const read = family === 'files' ? directory.get_file : directory.get_folder;
    return (await read(id, options)).breadcrumbs;
  });
  return <Crumbs crumbs={data ?? []} />;
}
