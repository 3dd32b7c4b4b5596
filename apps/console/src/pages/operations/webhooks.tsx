import { Badge, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Webhook } from '../../api/answers.js';
import { describeError } from '../../api/errors.js';
import { PagedTable } from '../../components/paged-table.js';
import { RecordLink } from '../../components/record-link.js';
import type { Column } from '../../components/record-table.js';
import { Section } from '../../components/section.js';
import { UserText } from '../../components/user-text.js';
import { useDrive } from '../../session/session-context.js';
import { texts } from '../../texts.js';
import styles from './operations.module.css';

/** Webhooks, whether they are paused and why, and a test of each. */
export function Webhooks() {
  return (
    <Section title={texts.families.webhooks}>
      <PagedTable<Webhook>
        label={texts.families.webhooks}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        query={['operations', 'webhooks']}
        read={(drive, page, options) => drive.webhooks.list(page, options)}
        empty={texts.operations.no_webhooks}
        cursors={['webhooks_down', 'webhooks_up']}
        of_now
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    key: 'name',
    title: texts.columns.name,
    show: ({ id, name }) => <RecordLink id={id} name={name} />,
  },
  { key: 'event', title: texts.columns.event, show: ({ event }) => event, is_minor: true },
  {
    key: 'url',
    title: texts.columns.url,
    show: ({ url }) => <UserText text={url} />,
    is_minor: true,
  },
  { key: 'active', title: texts.operations.state, show: (webhook) => <State webhook={webhook} /> },
  { key: 'test', title: texts.operations.test, show: ({ id }) => <Test id={id} /> },
];

function State({ webhook: { active, paused_reason } }: { readonly webhook: Webhook }) {
  if (active)
    return (
      <Badge className={styles.state!} color="green" variant="light" tt="none">
        {texts.columns.active}
      </Badge>
    );
  return (
    <>
      <Badge className={styles.state!} color="red" variant="light" tt="none">
        {texts.operations.paused}
      </Badge>{' '}
      {paused_reason && <UserText text={paused_reason} />}
    </>
  );
}

/** Sends a test event and says what the receiver answered. */
function Test({ id }: { readonly id: string }) {
  const drive = useDrive();
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => drive.webhooks.test({ id }),
  });
  return (
    <>
      <Button size="compact-xs" variant="default" loading={isPending} onClick={() => mutate()}>
        {texts.operations.send_test}
      </Button>
      {(data || error) && (
        <Text size="xs" role="status">
          {error
            ? describeError(error).message
            : data?.error
              ? data.error
              : texts.operations.answered(data!.status ?? 0, data!.latency_ms)}
        </Text>
      )}
    </>
  );
}
