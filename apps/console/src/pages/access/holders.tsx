import { Text } from '@mantine/core';
import type { Holder } from '../../api/answers.js';
import { pointBody } from '../../api/points.js';
import { PagedTable } from '../../components/paged-table.js';
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

/** Everybody who could reach a record at the point, members of groups one by one. */
export function Holders({ what }: { readonly what: string }) {
  const drive = useDrive();
  const { at } = useView();
  const body = { resource_id: what, ...pointBody(at) };
  return (
    <Section title={texts.access.holders}>
      <Text size="sm" mb="sm">
        <RecordLink id={what} />
      </Text>
      <PagedTable<Holder>
        label={texts.access.holders}
        columns={columnsFor(what)}
        keyOf={({ grantee_id }) => grantee_id}
        query={['who', body]}
        read={(page, options) => drive.organization.who({ ...body, ...page }, options)}
        empty={texts.access.nobody}
        not_there={<NotThere id={what} title={texts.access.no_record} />}
      />
    </Section>
  );
}

function columnsFor(what: string): readonly Column<Holder>[] {
  return [
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
    {
      key: 'reason',
      title: texts.access.column_why,
      show: ({ because }) => <Reason because={because} />,
    },
    {
      key: 'why',
      title: texts.columns.details,
      on_screen_only: true,
      show: ({ grantee_id }) =>
        grantee_id.startsWith('UserID_') && (
          <PageLink to="access" changes={{ who: grantee_id, what }}>
            {texts.access.ask_why}
          </PageLink>
        ),
    },
  ];
}
