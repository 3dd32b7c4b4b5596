import { Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { Empty } from '../components/states.js';
import { useSession } from '../session/session-context.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';

/** Sets the title of the browser tab. @param parts from the specific to the general */
export function useTabTitle(...parts: readonly string[]): void {
  const title = [...parts, texts.product].filter((part) => part !== '').map(visibleText);
  const text = title.join(' – ');
  useEffect(() => {
    document.title = text;
  }, [text]);
}

/** Sets the title of the browser tab to a page, or to a record, of the organization. */
export function PageTitle({ title }: { readonly title: string }) {
  const { org_name } = useSession();
  useTabTitle(title, org_name);
  return null;
}

interface PageHeadProps {
  readonly title: string;
  /** What the page answers. */
  readonly intro?: string;
}

/** The title of a page, also in the browser tab. */
export function PageHead({ title, intro }: PageHeadProps) {
  return (
    <>
      <PageTitle title={title} />
      <Title order={1} size="h3" mb={intro ? 'xs' : 'md'}>
        {title}
      </Title>
      {intro && (
        <Text size="sm" c="dimmed" mb="md">
          {intro}
        </Text>
      )}
    </>
  );
}

interface NotFoundProps {
  readonly title?: string;
  readonly children?: string;
}

/** Shown instead of a page, or of a record, that does not exist. */
export function NotFound(props: NotFoundProps) {
  const { title = texts.states.not_found, children = texts.states.page_not_found } = props;
  return (
    <>
      <PageTitle title={title} />
      <Empty title={title}>{children}</Empty>
    </>
  );
}
