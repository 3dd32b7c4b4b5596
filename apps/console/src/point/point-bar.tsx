import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import {
  FilterIcon,
  FirstIcon,
  LastIcon,
  NextIcon,
  PauseIcon,
  PlayIcon,
  PreviousIcon,
} from '../components/icons.js';
import { describeError } from '../api/errors.js';
import { useIsCurrent } from '../shell/links.js';
import { texts } from '../texts.js';
import { isFiltered, useEventFilter } from './event-filter.js';
import { EventLine } from './event-line.js';
import { LiveMark } from './live.js';
import { usePoint } from './point-context.js';
import { PointPicker } from './point-picker.js';
import { Timeline } from './timeline/timeline.js';
import { TimelineFilters } from './timeline/timeline-filters.js';
import { useArrowKeys } from './use-arrow-keys.js';
import { usePlay } from './use-play.js';
import { useReadsAgain } from './use-reads-again.js';
import { useView } from './use-view.js';
import { ViewAs } from './view-as.js';
import styles from './point-bar.module.css';

/** The point, the steps from it and the timeline; in place on all pages. */
export function PointBar() {
  const { at, event, overview, error, goTo, step } = usePoint();
  const { as_user } = useView();
  const filter = useEventFilter();
  const [shows_filters, setShowsFilters] = useState(() => isFiltered(filter));
  // The history has the filters on its page.
  const has_filters = !useIsCurrent()('history');
  const { is_playing, setPlaying, speed, nextSpeed } = usePlay();
  useArrowKeys(step);
  // Whoever moves the point otherwise wants to look at it.
  useEffect(() => {
    if (at === null) setPlaying(false);
  }, [at, setPlaying]);
  if (error) return <NoPast error={error} />;
  const is_first = event?.revision === 0;
  const is_last = at === null || event?.revision === overview?.to_revision;
  return (
    <section
      className={styles.bar}
      aria-label={texts.point.title}
      data-past={at !== null || as_user !== null}
    >
      <div className={styles.controls}>
        <div className={styles.steps} role="group" aria-label={texts.point.steps}>
          <StepButton label={texts.point.first} disabled={is_first} onClick={() => step('first')}>
            <FirstIcon />
          </StepButton>
          <StepButton
            label={texts.point.previous}
            disabled={is_first}
            onClick={() => step('previous')}
          >
            <PreviousIcon />
          </StepButton>
          <StepButton
            label={is_playing ? texts.point.pause : texts.point.play}
            disabled={is_last && !is_playing}
            onClick={() => setPlaying(!is_playing)}
          >
            {is_playing ? <PauseIcon /> : <PlayIcon />}
          </StepButton>
          <StepButton label={texts.point.next} disabled={is_last} onClick={() => step('next')}>
            <NextIcon />
          </StepButton>
          <StepButton label={texts.point.last} disabled={at === null} onClick={() => goTo(null)}>
            <LastIcon />
          </StepButton>
          {is_playing && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={nextSpeed}
              aria-label={texts.point.speed_label(speed)}
            >
              {texts.point.speed(speed)}
            </Button>
          )}
        </div>
        <PointPicker />
        <EventLine event={event} />
        <div className={styles.end}>
          <LiveMark />
          <ViewAs />
          {has_filters && (
            <Tooltip label={texts.timeline.filters}>
              <ActionIcon
                variant={shows_filters || isFiltered(filter) ? 'light' : 'subtle'}
                color={isFiltered(filter) ? 'indigo' : 'gray'}
                size="lg"
                aria-label={texts.timeline.filters}
                aria-expanded={shows_filters}
                onClick={() => setShowsFilters(!shows_filters)}
              >
                <FilterIcon />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      </div>
      {has_filters && shows_filters && <TimelineFilters />}
      <Timeline />
    </section>
  );
}

interface StepButtonProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly onClick: () => unknown;
  readonly children: ReactNode;
}

function StepButton({ label, disabled, onClick, children }: StepButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        // Stays focusable: the key that was pressed last keeps its place.
        aria-disabled={disabled}
        data-disabled={disabled || undefined}
        onClick={() => {
          if (!disabled) onClick();
        }}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

/** Callers without the permission to look at the past see the present only, without the live feed. */
function NoPast({ error }: { readonly error: unknown }) {
  useReadsAgain();
  const { status, message } = describeError(error);
  return (
    <section className={styles.bar} aria-label={texts.point.title}>
      <p className={styles.noPast}>{status === 403 ? texts.point.no_permission : message}</p>
    </section>
  );
}
