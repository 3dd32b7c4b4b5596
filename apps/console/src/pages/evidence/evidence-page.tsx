import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { isRefused } from '../../api/errors.js';
import { pointBody } from '../../api/points.js';
import { TextWithHashes } from '../../components/hash.js';
import { RecordSelect } from '../../components/record-select.js';
import { Section } from '../../components/section.js';
import { Failed, Loading } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import { useChangeView, useView } from '../../point/use-view.js';
import { ViewNote } from '../../point/view-note.js';
import { useDrive, useSession } from '../../session/session-context.js';
import { timeText } from '../../time/zone.js';
import { PageHead } from '../../shell/page-title.js';
import { texts } from '../../texts.js';
import { bundleOf, download, type Evidence, type ReportRow } from './bundle.js';
import { DigestFields } from './digest-fields.js';
import { useVerification, Verify } from './verify.js';

/** Verification, the signed digest, and a bundle that proves an event and a record offline. */
export default function EvidencePage() {
  const drive = useDrive();
  const { overview } = usePoint();
  const { data, error, refetch } = useQuery({
    queryKey: [drive.drive_id, 'digest', overview?.to_revision],
    queryFn: ({ signal }) => drive.organization.digest({ signal }),
  });
  const verification = useVerification();
  return (
    <>
      <PageHead title={texts.pages.evidence} />
      <ViewNote of_now={texts.evidence.of_now} />
      <Verify verification={verification} />
      <Section
        title={texts.evidence.digest}
        actions={
          data && (
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                download(
                  `digest-r${data.revision}.json`,
                  'application/json',
                  JSON.stringify(data, null, 2),
                )
              }
            >
              {texts.evidence.download_digest}
            </Button>
          )
        }
      >
        <Text size="sm" c="dimmed" mb="xs">
          {texts.evidence.digest_hint}
        </Text>
        {error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <DigestFields digest={data} />
        ) : (
          <Loading />
        )}
      </Section>
      <Bundle verification={verification.data ?? null} />
    </>
  );
}

/** Makes the bundle of the event at the point and of a record. */
function Bundle({ verification }: { readonly verification: object | null }) {
  const { params } = useView();
  const changeView = useChangeView();
  const { event } = usePoint();
  const record_id = params.get('record');
  const making = useMakeBundle(record_id, verification);
  return (
    <Section title={texts.evidence.bundle}>
      <Text size="sm" mb="sm">
        {texts.evidence.bundle_hint}
      </Text>
      {event && (
        <Text size="sm" mb="sm">
          <TextWithHashes
            text={texts.evidence.event(texts.point.revision(event.revision), event.summary)}
          />
        </Text>
      )}
      <Group align="end">
        <RecordSelect
          label={texts.evidence.record}
          value={record_id}
          onChange={(record) => changeView({ record })}
        />
        <Button loading={making.isPending} disabled={!event} onClick={() => making.mutate()}>
          {texts.evidence.download}
        </Button>
      </Group>
      {making.error && <Failed error={making.error} />}
    </Section>
  );
}

function useMakeBundle(record_id: string | null, verification: object | null) {
  const drive = useDrive();
  const { org_name } = useSession();
  const { past, event } = usePoint();
  return useMutation({
    mutationFn: async () => {
      const digest = await drive.organization.digest();
      const { size } = digest;
      const evidence: Evidence = {
        ...{ organization: org_name || drive.drive_id, digest, event, verification },
        event_proof: event && (await drive.organization.proof({ revision: event.revision, size })),
        record_proof:
          record_id &&
          (await drive.organization
            .record_proof({ record_id, ...pointBody(past.at) })
            .catch((error: unknown) => {
              if (isRefused(error)) return null;
              throw error;
            })),
      } as Evidence;
      const rows: ReportRow[] = [
        [texts.evidence.rows.organization, `${evidence.organization} (${drive.drive_id})`],
        [texts.evidence.rows.revision, String(digest.revision)],
        [texts.evidence.rows.signed, timeText(digest.timestamp_ms, 'UTC')],
        [texts.evidence.rows.log_root, digest.log_root],
        [texts.evidence.rows.public_key, digest.public_key],
        [texts.evidence.rows.event, event ? `r${event.revision} ${event.summary}` : '—'],
        [texts.evidence.rows.event_time, event ? timeText(event.timestamp_ms, 'UTC') : '—'],
        [texts.evidence.rows.reason, event?.reason ?? '—'],
        [texts.evidence.rows.record, record_id ?? '—'],
      ];
      const file = `evidence-r${event?.revision ?? digest.revision}.zip`;
      download(file, 'application/zip', bundleOf(evidence, rows));
    },
  });
}
