import { Alert, Button, Loader, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { describeError } from '../api/errors.js';
import { useChangeView } from '../point/use-view.js';
import { FIRST_PAGE } from '../point/view.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import styles from './states.module.css';

/** Shown until the first answer. */
export function Loading({ what = texts.states.loading }: { readonly what?: string }) {
  return (
    <div className={styles.state} role="status">
      <Loader size="sm" />
      <Text c="dimmed">{what}</Text>
    </div>
  );
}

interface EmptyProps {
  readonly title?: string;
  readonly children?: ReactNode;
}

/** Shown for a list without items. */
export function Empty({ title = texts.states.empty, children }: EmptyProps) {
  return (
    <div className={styles.state}>
      <Title order={3} size="h5">
        {title}
      </Title>
      {children && (
        <Text component="div" c="dimmed">
          {children}
        </Text>
      )}
    </div>
  );
}

interface EmptyPageProps extends EmptyProps {
  /** Number of items on all pages of the list. */
  readonly total: number;
  /** Still the page of another request. */
  readonly is_stale: boolean;
}

/** Shown for a page of a list without items: if there are items on other pages, it leads to them. */
export function EmptyPage({ total, is_stale, ...empty }: EmptyPageProps) {
  // Nothing can be dimmed that says so.
  if (is_stale) return <Loading />;
  if (total === 0) return <Empty {...empty} />;
  return (
    <div className={styles.state}>
      <Title order={3} size="h5">
        {texts.states.no_such.page}
      </Title>
      <FirstPage />
    </div>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Shown for a request that failed; what is not allowed or not there has its own words. */
export function Failed({ error, onRetry }: FailedProps) {
  const { title, message, request_id, is_temporary, missing } = describeError(error);
  return (
    <Alert
      className={styles.failed!}
      color={is_temporary ? 'red' : 'gray'}
      title={title}
      role="alert"
    >
      <Stack gap="xs" align="start">
        <Text size="sm">{visibleText(message)}</Text>
        {request_id && (
          <Text size="xs" c="dimmed">
            {texts.states.request(request_id)}
          </Text>
        )}
        {onRetry && is_temporary && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {texts.states.retry}
          </Button>
        )}
        {missing === 'page' && <FirstPage />}
      </Stack>
    </Alert>
  );
}

interface AnsweredProps<Answer> {
  readonly query: {
    readonly data: Answer | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly children: (answer: Answer) => ReactNode;
}

/** What a query was answered; before, that it loads, or why it failed. */
export function Answered<Answer>({ query, children }: AnsweredProps<Answer>) {
  const { data, error, refetch } = query;
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <Loading /> : children(data);
}

/** The cursor of an address may be one of another order, or cut off. */
function FirstPage() {
  const changeView = useChangeView();
  return (
    <Button size="xs" variant="default" onClick={() => changeView(FIRST_PAGE)}>
      {texts.states.first_page}
    </Button>
  );
}
