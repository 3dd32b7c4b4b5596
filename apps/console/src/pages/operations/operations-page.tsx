import { Code, Text } from '@mantine/core';
import { bytesText } from '../../components/field-value.js';
import { RecordLink } from '../../components/record-link.js';
import { type Column, Others, RecordTable } from '../../components/record-table.js';
import type { Disk } from '../../api/answers.js';
import { readWhole } from '../../api/whole-list.js';
import { Section } from '../../components/section.js';
import { Answered, Empty } from '../../components/states.js';
import { ViewNote } from '../../point/view-note.js';
import { useDrive } from '../../session/session-context.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { PageLink } from '../../shell/links.js';
import { PageHead } from '../../shell/page-title.js';
import { texts } from '../../texts.js';
import styles from './operations.module.css';
import { Health } from './health.js';
import { Reindex } from './reindex.js';
import { Webhooks } from './webhooks.js';

/** What an owner looks after; always of now. */
export default function OperationsPage() {
  const drive = useDrive();
  return (
    <>
      <PageHead title={texts.pages.operations} />
      <ViewNote of_now={texts.operations.of_now} />
      <Health />
      <Reindex />
      <Webhooks />
      <Storage />
      <Section title={texts.families.api_keys}>
        <Text size="sm">
          <PageLink to="state/api_keys" changes={{ at: null, as: null }}>
            {texts.operations.keys}
          </PageLink>
        </Text>
      </Section>
      <Section title={texts.operations.export}>
        <Text size="sm" mb="xs">
          {texts.operations.export_hint}
        </Text>
        <Code
          block
          className={styles.command!}
        >{`drive-workspace ops export --drive ${drive.drive_id} --out organization.ndjson`}</Code>
      </Section>
    </>
  );
}

/** Bytes stored, and quotas. */
function Storage() {
  const query = useDriveQuery(['operations', 'storage'], async (drive, options) => {
    const usage = await drive.directory.usage(options);
    const disks = await readWhole((page) => drive.disks.list(page, options));
    return { usage, disks };
  });
  return (
    <Section title={texts.operations.storage}>
      <Answered query={query}>
        {({ usage: { contents, used_bytes, quota_bytes }, disks }) => (
          <>
            <Text size="sm" mb="sm">
              {texts.operations.used(contents, bytesText(used_bytes), quotaText(quota_bytes))}
            </Text>
            {disks.items.length === 0 ? (
              <Empty title={texts.table.empty} />
            ) : (
              <>
                <RecordTable
                  label={texts.families.disks}
                  columns={DISK_COLUMNS}
                  rows={disks.items}
                  keyOf={({ id }) => id}
                />
                <Others total={disks.total} shown={disks.items.length} />
              </>
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

const quotaText = (bytes: number | null): string =>
  bytes === null ? texts.operations.no_quota : bytesText(bytes);

const DISK_COLUMNS: readonly Column<Disk>[] = [
  {
    key: 'name',
    title: texts.columns.name,
    show: ({ id, name }) => <RecordLink id={id} name={name} />,
  },
  {
    key: 'used_bytes',
    title: texts.columns.used_bytes,
    show: ({ used_bytes }) => bytesText(used_bytes),
    is_number: true,
  },
  {
    key: 'quota',
    title: texts.operations.quota,
    show: ({ quota_bytes }) => quotaText(quota_bytes),
    is_number: true,
  },
];
