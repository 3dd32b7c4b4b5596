import { Progress, Text } from '@mantine/core';
import type { VerifyProgress } from '../../../../libs/client/src/index.js';
import { texts } from '../texts.js';

/** Progress of a verification; null before its first message. */
export function CheckedEvents({ progress }: { readonly progress: VerifyProgress | null }) {
  const { checked_events, events_total } = progress ?? { checked_events: 0, events_total: 1 };
  const percent = Math.min(100, Math.floor((100 * checked_events) / events_total));
  return (
    <>
      <Progress mt="sm" value={percent} aria-label={texts.verifying.progress} />
      <Text size="sm" c="dimmed" mt={4}>
        {progress
          ? texts.verifying.checked(percent, checked_events, events_total)
          : texts.verifying.waiting}
      </Text>
    </>
  );
}
