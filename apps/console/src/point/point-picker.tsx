import { Button, NumberInput, Popover, SegmentedControl, Stack, Text } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react';
import { ClockIcon } from '../components/icons.js';
import { UserText } from '../components/user-text.js';
import { Time } from '../time/time.js';
import { timeText } from '../time/zone.js';
import { useZone } from '../time/zone-context.js';
import { texts } from '../texts.js';
import { usePoint } from './point-context.js';
import { type FormProps, TimeForm, useChosen } from './time-form.js';
import { revisionOf, timeOf } from './view.js';
import styles from './point-bar.module.css';

type Kind = 'time' | 'revision' | 'bookmark';

interface PointChoiceProps {
  /** What is chosen, for people who do not see the page. */
  readonly label: string;
  /** Null: now. */
  readonly at: string | null;
  readonly onChoose: (at: string | null) => void;
  /** The chosen point in words. */
  readonly children: ReactNode;
}

/** A button that names a point, and lets people choose another one. */
export function PointChoice({ label, at, onChoose, children }: PointChoiceProps) {
  const [is_open, setOpen] = useState(false);
  const [kind, setKind] = useState<Kind>('time');
  const choose = (next: string | null): void => {
    onChoose(next);
    setOpen(false);
  };
  // Escape in an open list closes that list only; a Popover's own handler is called before the list's.
  function closeOnEscape({ key, target }: KeyboardEvent): void {
    if (key === 'Escape' && (target as Element).ariaExpanded !== 'true') setOpen(false);
  }

  return (
    <Popover
      opened={is_open}
      onChange={setOpen}
      closeOnEscape={false}
      position="bottom-start"
      trapFocus
      width={320}
    >
      <Popover.Target>
        <Button
          className={styles.point!}
          data-printed
          variant={at === null ? 'default' : 'light'}
          color="orange"
          leftSection={<ClockIcon />}
          onClick={() => setOpen(!is_open)}
        >
          <span className="visually-hidden">{label}: </span>
          <span>{children}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} onKeyDown={closeOnEscape}>
        <Stack gap="sm">
          <SegmentedControl
            fullWidth
            aria-label={texts.point.kind}
            value={kind}
            onChange={(value) => setKind(value as Kind)}
            data={(['time', 'revision', 'bookmark'] as const).map((value) => ({
              value,
              label: texts.point.kinds[value],
            }))}
          />
          {kind === 'time' && <TimeForm at={at} onChoose={choose} />}
          {kind === 'revision' && <RevisionForm at={at} onChoose={choose} />}
          {kind === 'bookmark' && <BookmarkForm onChoose={choose} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Names the point, and lets people choose another one. */
export function PointPicker() {
  const { at, goTo } = usePoint();
  return (
    <>
      <PointChoice label={texts.point.choose} at={at} onChoose={goTo}>
        <PointText />
      </PointChoice>
      {at !== null && (
        <Button variant="subtle" size="compact-sm" onClick={() => goTo(null)}>
          {texts.point.to_now}
        </Button>
      )}
    </>
  );
}

/** The point in words. */
export function PointText() {
  const { at, event } = usePoint();
  const { zone } = useZone();
  if (at === null) return texts.point.now;
  if (at.startsWith('@')) return at;
  const time = timeOf(at);
  if (time !== null) return timeText(time, zone);
  if (revisionOf(at) === null) return <UserText text={at} />;
  return event ? <Time ms={event.timestamp_ms} /> : at;
}

function RevisionForm({ at, onChoose }: FormProps) {
  const { overview } = usePoint();
  const head = overview?.to_revision ?? 0;
  const chosen = useChosen(at);
  const [revision, setRevision] = useState<number | string>(chosen.revision ?? head);
  const number = Number(revision);
  const is_valid = revision !== '' && Number.isInteger(number) && number >= 0 && number <= head;

  function submit(form: FormEvent): void {
    form.preventDefault();
    if (is_valid) onChoose(`r${number}`);
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <NumberInput
          label={texts.point.kinds.revision}
          description={texts.point.revision_range(head)}
          value={revision}
          onChange={setRevision}
          min={0}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          error={is_valid ? null : texts.point.revision_range(head)}
          data-autofocus
        />
        <Button type="submit">{texts.point.show}</Button>
      </Stack>
    </form>
  );
}

function BookmarkForm({ onChoose }: Pick<FormProps, 'onChoose'>) {
  const { bookmarks } = usePoint();
  if (bookmarks.length === 0) return <Text c="dimmed">{texts.point.no_bookmarks}</Text>;
  return (
    <ul className={styles.bookmarks}>
      {bookmarks.map(({ name, at_ms, note }) => (
        <li key={name}>
          <button type="button" onClick={() => onChoose(`@${name}`)}>
            <strong>@{name}</strong>
            <Time ms={at_ms} />
            {note && (
              <span>
                <UserText text={note} />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
