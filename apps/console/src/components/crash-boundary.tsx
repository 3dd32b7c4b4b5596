import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { Component, type ReactNode, useState } from 'react';
import { texts } from '../texts.js';

/** The script or the style of a page could not be loaded. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

interface Props {
  readonly children: ReactNode;
}

/** Shows the message of an error in a page, instead of an empty page. */
export class CrashBoundary extends Component<Props, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof PageNotLoaded) return <NotLoaded />;
    return (
      <Alert color="red" title={texts.states.crashed} role="alert" m="md">
        <Code block>{String(error)}</Code>
      </Alert>
    );
  }
}

/**
 * The server has another build of the console than this tab, or there was no connection. Only a reload gets the names
 * of the new files; browsers may also remember that a script failed.
 */
function NotLoaded() {
  const [is_trying, setTrying] = useState(false);
  const [is_unreachable, setUnreachable] = useState(false);

  async function reload(): Promise<void> {
    setTrying(true);
    setUnreachable(false);
    // A reload without a connection would replace the page by one of the browser.
    if (await isReachable()) window.location.reload();
    else setUnreachable(true);
    setTrying(false);
  }

  return (
    <Alert color="red" title={texts.states.page_not_loaded} role="alert" m="md">
      <Stack gap="xs" align="start">
        <Text size="sm">
          {is_unreachable ? texts.states.unreachable : texts.states.page_not_loaded_hint}
        </Text>
        <Button size="xs" variant="default" loading={is_trying} onClick={() => void reload()}>
          {texts.states.retry}
        </Button>
      </Stack>
    </Alert>
  );
}

function isReachable(): Promise<boolean> {
  return fetch(window.location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}
