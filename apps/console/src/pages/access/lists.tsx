import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Holder, Reached as Reach } from '../../api/answers.js';
import { pointBody } from '../../api/points.js';
import { PagedTable } from '../../components/paged-table.js';
import { PathLink } from '../../components/path-link.js';
import { RecordLink } from '../../components/record-link.js';
import type { Column } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { useView } from '../../point/use-view.js';
import { PageLink } from '../../shell/links.js';
import { texts } from '../../texts.js';
import type { Pair } from './explanation.js';
import { NotThere } from './not-there.js';
import { Reason } from './reason.js';
import { Types } from './types.js';
import styles from './access.module.css';

/** Everybody who could reach a record at the point, members of groups one by one. */
export function Holders({ what }: { readonly what: string }) {
  const { at } = useView();
  const body = { resource_id: what, ...pointBody(at) };
  return (
    <Of id={what} title={texts.access.holders}>
      <PagedTable<Holder>
        label={texts.access.holders}
        columns={[
          ...HOLDER_COLUMNS,
          why(({ grantee_id: who }) => (who.startsWith('UserID_') ? { who, what } : null)),
        ]}
        keyOf={({ grantee_id }) => grantee_id}
        query={['who', body]}
        read={(drive, page, options) => drive.organization.who({ ...body, ...page }, options)}
        empty={texts.access.nobody}
        not_there={<NotThere id={what} title={texts.access.no_record} />}
      />
    </Of>
  );
}

/** Everything that a person could reach at the point; a folder stands for what is below it. */
export function Reached({ who }: { readonly who: string }) {
  const { at } = useView();
  const body = { grantee_id: who, ...pointBody(at) };
  return (
    <Of id={who} title={texts.access.reached}>
      <PagedTable<Reach>
        label={texts.access.reached}
        columns={[...REACHED_COLUMNS, why(({ resource_id: what }) => ({ who, what }))]}
        keyOf={({ resource_id }) => resource_id}
        query={['reach', body]}
        read={(drive, page, options) => drive.organization.reach({ ...body, ...page }, options)}
        empty={texts.access.nothing_reached}
        not_there={<NotThere id={who} title={texts.access.no_person} />}
      />
    </Of>
  );
}

interface OfProps {
  /** The record or the person that the list is about. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

function Of({ id, title, children }: OfProps) {
  return (
    <Section title={title}>
      <Text size="sm" mb="sm">
        <RecordLink id={id} />
      </Text>
      {children}
    </Section>
  );
}

const REASON: Column<Pick<Holder | Reach, 'because'>> = {
  key: 'reason',
  title: texts.access.column_why,
  show: ({ because }) => <Reason because={because} />,
};

const HOLDER_COLUMNS: readonly Column<Holder>[] = [
  {
    key: 'who',
    title: texts.access.column_who,
    show: ({ grantee_id }) => <RecordLink id={grantee_id} />,
  },
  {
    key: 'may',
    title: texts.access.column_may,
    show: ({ types }) => <Types types={types} />,
  },
  REASON,
];

const REACHED_COLUMNS: readonly Column<Reach>[] = [
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
  REASON,
];

/** A column with links to the explanation of a row. @param pairOf null: there is none */
function why<R>(pairOf: (row: R) => Pair | null): Column<R> {
  return {
    key: 'why',
    title: texts.columns.details,
    on_screen_only: true,
    show: (row) => {
      const pair = pairOf(row);
      return (
        pair && (
          <PageLink to="access" changes={{ ...pair }}>
            {texts.access.ask_why}
          </PageLink>
        )
      );
    },
  };
}
