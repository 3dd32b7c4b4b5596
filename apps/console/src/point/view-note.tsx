import { Alert } from '@mantine/core';
import { texts } from '../texts.js';
import { usePoint } from './point-context.js';
import { useView } from './use-view.js';

interface ViewNoteProps {
  /** What a page shows as of now although another point is chosen; absent: it shows the point. */
  readonly of_now?: string;
  /** What is not shown as the chosen person; absent: the whole page. */
  readonly not_applied?: string;
}

/** Says on a page what it shows otherwise than the bar above it promises: not as the chosen person, or not at the point. */
export function ViewNote({ of_now, not_applied = texts.view_as.not_applied }: ViewNoteProps) {
  const { at } = usePoint();
  const { as_user } = useView();
  const notes = [
    ...(of_now !== undefined && at !== null ? [of_now] : []),
    ...(as_user === null ? [] : [not_applied]),
  ];
  if (notes.length === 0) return null;
  return (
    <Alert color="orange" mb="md">
      {notes.join(' ')}
    </Alert>
  );
}
