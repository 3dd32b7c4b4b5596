import { Alert, Code } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { texts } from '../texts.js';

interface Props {
  readonly children: ReactNode;
}

/** Shows the message of an error in a page, instead of an empty page. */
export class CrashBoundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Alert color="red" title={texts.states.crashed} role="alert" m="md">
        <Code block>{String(error)}</Code>
      </Alert>
    );
  }
}
