import { Alert, Button, FileButton, Group, Loader, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Section } from '../../components/section.js';
import { Failed } from '../../components/states.js';
import { usePoint } from '../../point/point-context.js';
import { useDrive } from '../../session/session-context.js';
import { texts } from '../../texts.js';
import { digestIn } from './bundle.js';

/** Verifies the whole history, and a digest that was kept elsewhere. */
export function useVerification() {
  const drive = useDrive();
  return useMutation({
    mutationFn: async (file: File | null) => {
      const digest = file && (await digestIn(file));
      return drive.organization.verify(digest ? { digest } : {});
    },
  });
}

interface VerifyProps {
  readonly verification: ReturnType<typeof useVerification>;
}

export function Verify({ verification }: VerifyProps) {
  const { data, error, isPending, variables, mutate } = verification;
  const { overview } = usePoint();
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
      {isPending && <Running events={(overview?.to_revision ?? 0) + 1} />}
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

/** What is under way, and for how long; the API says nothing of its progress. */
function Running({ events }: { readonly events: number }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Group gap="xs" mt="sm">
      <Loader size="xs" aria-hidden="true" />
      <Text size="sm" c="dimmed">
        {texts.evidence.running(events, seconds)}
      </Text>
    </Group>
  );
}
