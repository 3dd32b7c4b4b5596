import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isRefused } from '../../api/errors.js';
import type { Digest, HistoryItem } from '../../api/answers.js';
import type { Drive } from '../../api/drive.js';
import { TextWithHashes } from '../../components/hash.js';
import { RecordSelect } from '../../components/record-select.js';
import { Section } from '../../components/section.js';
import { Answered, Failed } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import { useChangeView, useView } from '../../point/use-view.js';
import { ViewNote } from '../../point/view-note.js';
import { useDrive, useSession } from '../../session/session-context.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { timeText } from '../../time/zone.js';
import { save } from '../../save.js';
import { PageHead } from '../../shell/page-title.js';
import { texts } from '../../texts.js';
import { bundleOf, type Evidence, type ReportRow } from './bundle.js';
import { DigestFields } from './digest-fields.js';
import { useVerification, Verify } from './verify.js';

/** Verification, the signed digest, and a bundle that proves an event and a record offline. */
export default function EvidencePage() {
  const { overview } = usePoint();
  const query = useDriveQuery(['digest', overview?.to_revision], (drive, options) =>
    drive.organization.digest({}, options),
  );
  const verification = useVerification();
  return (
    <>
      <PageHead title={texts.pages.evidence} />
      <ViewNote of_now={texts.evidence.of_now} />
      <Verify verification={verification} />
      <Section
        title={texts.evidence.digest}
        actions={
          query.data && (
            <Button size="xs" variant="default" onClick={() => saveDigest(query.data)}>
              {texts.evidence.download_digest}
            </Button>
          )
        }
      >
        <Text size="sm" c="dimmed" mb="xs">
          {texts.evidence.digest_hint}
        </Text>
        <Answered query={query}>{(digest) => <DigestFields digest={digest} />}</Answered>
      </Section>
      <Bundle verification={verification.data ?? null} />
    </>
  );
}

function saveDigest(digest: Digest): void {
  const text = JSON.stringify(digest, null, 2);
  save(new Blob([text], { type: 'application/json' }), `digest-r${digest.revision}.json`);
}

/** Makes the bundle of the event at the point and of a record. */
function Bundle({ verification }: { readonly verification: object | null }) {
  const { params } = useView();
  const changeView = useChangeView();
  const { event, is_event_stale } = usePoint();
  const record_id = params.get('record');
  const making = useMakeBundle(record_id, event, verification);
  return (
    <Section title={texts.evidence.bundle}>
      <Text size="sm" mb="sm">
        {texts.evidence.bundle_hint}
      </Text>
      {event && (
        <Text size="sm" mb="sm" aria-busy={is_event_stale}>
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
        <Button
          loading={making.isPending}
          disabled={!event || is_event_stale}
          onClick={() => making.mutate()}
        >
          {texts.evidence.download}
        </Button>
      </Group>
      {making.error && <Failed error={making.error} />}
    </Section>
  );
}

function useMakeBundle(
  record_id: string | null,
  event: HistoryItem | null,
  verification: object | null,
) {
  const drive = useDrive();
  const { org_name } = useSession();
  return useMutation({
    mutationFn: async () => {
      if (!event) return;
      const { organization: log } = drive;
      const { revision } = event;
      const [digest, point_digest] = await Promise.all([log.digest(), log.digest({ revision })]);
      const evidence: Evidence = {
        ...{ organization: org_name || drive.drive_id, digest, point_digest, event, verification },
        event_proof: await log.proof({ revision, size: digest.size }),
        record_proof: record_id ? await recordProof(drive, record_id, revision) : null,
      };
      const rows: ReportRow[] = [
        [texts.evidence.rows.organization, `${evidence.organization} (${drive.drive_id})`],
        [texts.evidence.rows.revision, String(digest.revision)],
        [texts.evidence.rows.signed_utc, timeText(digest.timestamp_ms, 'UTC')],
        [texts.evidence.rows.log_root, digest.log_root],
        [texts.evidence.rows.public_key, digest.public_key],
        [texts.evidence.rows.event, `r${revision} ${event.summary}`],
        [texts.evidence.rows.event_time, timeText(event.timestamp_ms, 'UTC')],
        [texts.evidence.rows.reason, event.reason ?? '—'],
        [texts.evidence.rows.record, record_id ?? '—'],
      ];
      const file = `evidence-r${revision}.zip`;
      save(new Blob([bundleOf(evidence, rows)], { type: 'application/zip' }), file);
    },
  });
}

/** The proof of a record; null if the service gives none for it. */
async function recordProof(
  drive: Drive,
  record_id: string,
  revision: number,
): Promise<object | null> {
  try {
    return await drive.organization.record_proof({ record_id, revision });
  } catch (error) {
    if (isRefused(error)) return null;
    throw error;
  }
}
