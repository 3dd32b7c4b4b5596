import { Alert, Button, FileButton, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { VerifyProgress } from '../../../../../libs/client/src/index.js';
import { CheckedEvents } from '../../components/checked-events.js';
import { Section } from '../../components/section.js';
import { Failed } from '../../components/states.js';
import { useDrive } from '../../session/session-context.js';
import { texts } from '../../texts.js';
import { digestIn } from './bundle.js';

/** Verifies the whole history, and a digest that was kept elsewhere. */
export function useVerification() {
  const drive = useDrive();
  const [progress, setProgress] = useState<VerifyProgress | null>(null);
  const verification = useMutation({
    mutationFn: async (file: File | null) => {
      setProgress(null);
      const digest = file && (await digestIn(file));
      return drive.organization.verify(digest ? { digest } : {}, { on_progress: setProgress });
    },
  });
  return { ...verification, progress };
}

interface VerifyProps {
  readonly verification: ReturnType<typeof useVerification>;
}

export function Verify({ verification }: VerifyProps) {
  const { data, error, isPending, progress, variables, mutate } = verification;
  const reset = useRef<() => void>(null);
  const check = (file: File | null): void => {
    if (file) mutate(file);
    // The same file can be chosen again, after it has changed.
    reset.current?.();
  };
  return (
    <Section title={texts.evidence.verify}>
      <Text size="sm" c="dimmed" mb="sm">
        {texts.evidence.verify_hint}
      </Text>
      <Group gap="sm">
        <Button loading={isPending} onClick={() => mutate(null)}>
          {texts.evidence.verify_now}
        </Button>
        <FileButton
          accept=".json,.zip"
          resetRef={reset}
          onChange={check}
          inputProps={{ 'aria-label': texts.evidence.choose_digest }}
        >
          {(props) => (
            <Button variant="default" disabled={isPending} {...props}>
              {texts.evidence.check_digest}
            </Button>
          )}
        </FileButton>
      </Group>
      {isPending && <CheckedEvents progress={progress} />}
      {error && <Failed error={error} />}
      {data && !isPending && (
        <Alert
          mt="sm"
          role="status"
          color={data.valid ? 'green' : 'red'}
          title={data.valid ? texts.evidence.valid : texts.evidence.invalid}
        >
          {data.valid
            ? texts.evidence.checked(data.checked_events, data.duration_ms)
            : texts.evidence.broken(data.first_bad_revision, data.reason ?? '')}
          {data.valid && variables && ` ${texts.evidence.digest_matches(variables.name)}`}
          {data.drift_documents !== null && ` ${texts.evidence.drift(data.drift_documents)}`}
        </Alert>
      )}
    </Section>
  );
}
