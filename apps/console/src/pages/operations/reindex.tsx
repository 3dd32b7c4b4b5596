import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type components,
  type Drive,
  isDriveError,
  type VerifyProgress,
} from '../../../../../libs/client/src/index.js';
import { CheckedEvents } from '../../components/checked-events.js';
import { Section } from '../../components/section.js';
import { Failed } from '../../components/states.js';
import { useDrive } from '../../session/session-context.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { PageLink } from '../../shell/links.js';
import { Time } from '../../time/time.js';
import { texts } from '../../texts.js';

const POLL_MS = 300;

type Verification = components['schemas']['Verification'];

/** What differs from the events; null for a caller who may not see it. */
async function compareIfAllowed(
  drive: Drive,
  on_progress: (progress: VerifyProgress) => void,
): Promise<Verification | null> {
  try {
    return await drive.organization.verify({}, { on_progress });
  } catch (error) {
    if (isDriveError(error, 'permission.denied')) return null;
    throw error;
  }
}

function changesText(compared: Verification | null | undefined): string {
  if (!compared) return texts.operations.changes_unknown;
  const { drift_documents, reason } = compared;
  return drift_documents === null
    ? texts.operations.damaged(reason ?? '')
    : texts.operations.changed(drift_documents);
}

/**
 * Rebuilds the read model, with progress, and shows what that changed; the organization stays in use meanwhile.
 */
export function Reindex() {
  const drive = useDrive();
  const [progress, setProgress] = useState<VerifyProgress | null>(null);
  const beginning = useMutation({
    mutationFn: async () => {
      setProgress(null);
      const compared = await compareIfAllowed(drive, setProgress);
      const { job_id } = await drive.organization.reindex({ async: true, force: true });
      return { job_id, compared };
    },
  });
  const { job_id, compared } = beginning.data ?? {};
  const { data: job, error } = useDriveQuery(
    ['operations', 'reindex', job_id],
    ({ organization }, options) => organization.reindex_job(job_id!, options),
    {
      enabled: job_id !== undefined,
      refetchInterval: ({ state }) => (state.data?.state === 'RUNNING' ? POLL_MS : false),
    },
  );
  const is_running = beginning.isPending || job?.state === 'RUNNING';
  const failure = beginning.error ?? error;
  return (
    <Section title={texts.operations.reindex}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.operations.reindex_hint}
      </Text>
      <Button loading={is_running} onClick={() => beginning.mutate()}>
        {texts.operations.reindex_now}
      </Button>
      {failure && <Failed error={failure} />}
      {beginning.isPending && <CheckedEvents progress={progress} />}
      {job && !beginning.isPending && is_running && (
        <>
          <Progress mt="sm" value={job.percent} aria-label={texts.operations.progress} />
          <Text size="sm" c="dimmed" mt={4}>
            {texts.operations.reindexed(
              job.percent,
              job.events_folded,
              job.events_total,
              job.documents_written,
            )}
          </Text>
        </>
      )}
      {job && !is_running && (
        <Alert
          mt="sm"
          role="status"
          color={job.state === 'DONE' ? 'green' : 'red'}
          title={job.state === 'DONE' ? texts.operations.rebuilt : texts.operations.not_rebuilt}
        >
          {job.error ??
            texts.operations.rebuilt_from(
              job.events_folded,
              job.documents_written,
              (job.finished_ms ?? job.started_ms) - job.started_ms,
            )}
          {job.state === 'DONE' && <Text size="sm">{changesText(compared)}</Text>}
          {job.state === 'DONE' && job.finished_ms !== null && (
            <Group gap="md" mt={4}>
              <span>
                {texts.operations.finished} <Time ms={job.finished_ms} />
              </span>
              <PageLink to="evidence">{texts.operations.verify_documents}</PageLink>
            </Group>
          )}
        </Alert>
      )}
    </Section>
  );
}
