import { Text } from '@mantine/core';
import type { Reached as Reach } from '../../api/answers.js';
import { pointBody } from '../../api/points.js';
import { PagedTable } from '../../components/paged-table.js';
import { PathLink } from '../../components/path-link.js';
import { RecordLink } from '../../components/record-link.js';
import type { Column } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { useView } from '../../point/use-view.js';
import { useDrive } from '../../session/session-context.js';
import { PageLink } from '../../shell/links.js';
import { texts } from '../../texts.js';
import { NotThere } from './not-there.js';
import { Reason } from './reason.js';
import { Types } from './types.js';
import styles from './access.module.css';

/** Everything that a person could reach at the point; a folder stands for what is below it. */
export function Reached({ who }: { readonly who: string }) {
  const drive = useDrive();
  const { at } = useView();
  const body = { grantee_id: who, ...pointBody(at) };
  return (
    <Section title={texts.access.reached}>
      <Text size="sm" mb="sm">
        <RecordLink id={who} />
      </Text>
      <PagedTable<Reach>
        label={texts.access.reached}
        columns={columnsFor(who)}
        keyOf={({ resource_id }) => resource_id}
        query={['reach', body]}
        read={(page, options) => drive.organization.reach({ ...body, ...page }, options)}
        empty={texts.access.nothing_reached}
        not_there={<NotThere id={who} title={texts.access.no_person} />}
      />
    </Section>
  );
}

function columnsFor(who: string): readonly Column<Reach>[] {
  return [
    {
      key: 'what',
      title: texts.access.column_what,
      show: ({ resource_id, path }) => <PathLink id={resource_id} path={path} />,
    },
    {
      key: 'may',
      title: texts.access.column_may,
      show: ({ types, types_below }) => (
        <>
          <Types types={types} />
          {types_below.length > 0 && types_below.join() !== types.join() && (
            <span className={styles.by}> {texts.access.below(types_below.join(', '))}</span>
          )}
        </>
      ),
    },
    {
      key: 'reason',
      title: texts.access.column_why,
      show: ({ because }) => <Reason because={because} />,
    },
    {
      key: 'why',
      title: texts.columns.details,
      on_screen_only: true,
      show: ({ resource_id }) => (
        <PageLink to="access" changes={{ who, what: resource_id }}>
          {texts.access.ask_why}
        </PageLink>
      ),
    },
  ];
}
