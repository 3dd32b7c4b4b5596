import { Badge } from '@mantine/core';
import type { AccessChange } from '../../api/answers.js';
import { pointBody } from '../../api/points.js';
import { PagedTable } from '../../components/paged-table.js';
import { PathLink } from '../../components/path-link.js';
import { RecordLink } from '../../components/record-link.js';
import type { Column } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { PageLink } from '../../shell/links.js';
import { texts } from '../../texts.js';
import type { Between } from './differences.js';
import styles from './compare.module.css';

/** Who gained and who lost which access between two points. */
export function AccessChanges({ from, to }: Between) {
  const points = { from: pointBody(from), ...(to !== null && { to: pointBody(to) }) };
  return (
    <Section title={texts.compare.access}>
      <PagedTable<AccessChange>
        label={texts.compare.access}
        columns={COLUMNS}
        keyOf={({ grantee_id, resource_root }) => `${grantee_id} ${resource_root}`}
        query={['access_diff', points]}
        read={(drive, page, options) =>
          drive.organization.access_diff({ ...points, ...page }, options)
        }
        empty={texts.compare.access_none}
        cursors={['access_down', 'access_up']}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<AccessChange>[] = [
  {
    key: 'who',
    title: texts.compare.who,
    show: ({ grantee_id }) => <RecordLink id={grantee_id} />,
  },
  {
    key: 'what',
    title: texts.compare.what,
    show: ({ resource_root, path }) => <PathLink id={resource_root} path={path} />,
  },
  {
    key: 'gained',
    title: texts.compare.gained,
    show: ({ gained, gained_below }) => <Types types={gained} below={gained_below} color="green" />,
  },
  {
    key: 'lost',
    title: texts.compare.lost,
    show: ({ lost, lost_below }) => <Types types={lost} below={lost_below} color="red" />,
  },
  {
    key: 'why',
    title: texts.access.column_why,
    on_screen_only: true,
    show: ({ grantee_id, resource_root }) => (
      <PageLink to="access" changes={{ who: grantee_id, what: resource_root }}>
        {texts.access.ask_why}
      </PageLink>
    ),
  },
];

interface TypesProps {
  readonly types: readonly string[];
  readonly below: readonly string[];
  readonly color: string;
}

function Types({ types, below, color }: TypesProps) {
  if (types.length + below.length === 0) return <span className={styles.none}>—</span>;
  const differs = below.join() !== types.join();
  return (
    <span className={styles.types}>
      {types.map((type) => (
        <Badge key={type} color={color} variant="light" tt="none" radius="sm">
          {type}
        </Badge>
      ))}
      {differs && below.length > 0 && (
        <span className={styles.kind}>{texts.compare.below(below.join(', '))}</span>
      )}
    </span>
  );
}
