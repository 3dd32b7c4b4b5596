import { useQuery } from '@tanstack/react-query';
import { Badge, Group, Text } from '@mantine/core';
import type { Readiness } from '../../api/answers.js';
import { Section } from '../../components/section.js';
import { Answered } from '../../components/states.js';
import { texts } from '../../texts.js';

const REFRESH_MS = 5_000;

async function readiness(signal: AbortSignal): Promise<Readiness> {
  // A process that is not ready answers 503, with the same members.
  const response = await fetch('/ready', { signal });
  return (await response.json()) as Readiness;
}

/** Whether the service is ready, and how far its read model lags. */
export function Health() {
  const query = useQuery({
    queryKey: ['ready'],
    queryFn: ({ signal }) => readiness(signal),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section title={texts.operations.health}>
      <Answered query={query}>
        {({ ready, projection_lag_events, damaged_drives, quarantined_webhooks }) => (
          <Group gap="md">
            <Badge color={ready ? 'green' : 'red'} variant="light" tt="none">
              {ready ? texts.operations.ready : texts.operations.not_ready}
            </Badge>
            <Text size="sm">{texts.operations.lag(projection_lag_events)}</Text>
            <Text size="sm">
              {texts.operations.troubled(damaged_drives.length, quarantined_webhooks.length)}
            </Text>
          </Group>
        )}
      </Answered>
    </Section>
  );
}
