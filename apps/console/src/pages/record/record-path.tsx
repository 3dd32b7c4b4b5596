import { useQuery } from '@tanstack/react-query';
import { usePoint } from '../../point/point-context.js';
import { useReads } from '../../point/use-reads.js';
import { useDrive } from '../../session/session-context.js';
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
  const drive = useDrive();
  const { past } = usePoint();
  const reads = useReads();
  const { data } = useQuery({
    queryKey: [drive.drive_id, 'path', id, past],
    queryFn: async ({ signal }) => {
      const { directory } = reads;
      const read = family === 'files' ? directory.get_file : directory.get_folder;
      return (await read(id, { signal })).breadcrumbs;
    },
    placeholderData: (previous, query) => (query?.queryKey[2] === id ? previous : undefined),
  });
  return <Crumbs crumbs={data ?? []} />;
}
