import { ActionIcon, Tooltip, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { FitIcon, ZoomInIcon, ZoomOutIcon } from '../../components/icons.js';
import { timeText } from '../../time/zone.js';
import { useZone } from '../../time/zone-context.js';
import { texts } from '../../texts.js';
import { visibleText } from '../../visible-text.js';
import { usePoint } from '../point-context.js';
import { timeOf, timePoint } from '../view.js';
import { draw } from './draw.js';
import { ticksOf, timeAt, zoomed } from './scale.js';
import { useHistogram } from './use-histogram.js';
import { useZoom } from './use-zoom.js';
import styles from './timeline.module.css';

/** Pixels that a pointer moves before it selects a part instead of a point. */
const DRAG = 5;
/** Pixels between times on the axis. */
const TICK_ROOM = 90;
const ZOOM_STEP = 0.5;

/** The histogram of events. A click chooses a point, a drag a part of the history; arrow keys step. */
export function Timeline() {
  const { at, event, overview, goTo, step } = usePoint();
  const { zone } = useZone();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { ref: frame, height, ...size } = useElementSize<HTMLDivElement>();
  const width = Math.floor(size.width);
  const scheme = useComputedColorScheme('light');
  const point_ms = at === null ? null : (timeOf(at) ?? event?.timestamp_ms ?? null);
  const { bounds, span, zoom, setZoom } = useZoom(point_ms);
  const histogram = useHistogram(width, zoom);
  const [brush, setBrush] = useState<readonly [number, number] | null>(null);
  const [hover, setHover] = useState<number | null>(null);

  useEffect(() => {
    if (!canvas.current || width === 0) return;
    draw(canvas.current, {
      ...{ width, height, span, zone, point_ms, brush, scheme },
      bars: histogram?.buckets ?? [],
      bar_ms: histogram?.bucket_ms ?? 1,
      ticks: ticksOf(span, zone, Math.max(2, width / TICK_ROOM)),
    });
  }, [width, height, span, zone, point_ms, brush, histogram, scheme]);

  const placeIn = ({ clientX, currentTarget }: PointerEvent): number =>
    Math.min(width, Math.max(0, clientX - currentTarget.getBoundingClientRect().left));

  function release(pointer: PointerEvent): void {
    if (!brush) return;
    const [from, to] = brush;
    setBrush(null);
    if (Math.abs(to - from) >= DRAG) setZoom([timeAt(from, span, width), timeAt(to, span, width)]);
    else choose(placeIn(pointer));
  }

  /** The end of the history is now. */
  function choose(place: number): void {
    const ms = timeAt(place, span, width);
    goTo(ms >= bounds.to_ms ? null : timePoint(Math.max(bounds.from_ms, ms)));
  }

  function press(key: KeyboardEvent): void {
    const around = point_ms ?? bounds.to_ms;
    const actions: Readonly<Record<string, () => unknown>> = {
      ArrowLeft: () => step('previous'),
      ArrowRight: () => step('next'),
      ArrowDown: () => step('previous'),
      ArrowUp: () => step('next'),
      Home: () => step('first'),
      End: () => goTo(null),
      PageUp: () => goToBar(1),
      PageDown: () => goToBar(-1),
      '+': () => setZoom(zoomed(span, bounds, around, ZOOM_STEP)),
      '-': () => setZoom(zoomed(span, bounds, around, 1 / ZOOM_STEP)),
      '0': () => setZoom(null),
    };
    const action = actions[key.key];
    if (!action || key.ctrlKey || key.metaKey || key.altKey) return;
    key.preventDefault();
    void action();
  }

  /** The last event of the next or previous bar. */
  function goToBar(by: 1 | -1): void {
    const revision = event?.revision ?? 0;
    const bars = histogram?.buckets ?? [];
    const bar =
      by === 1
        ? bars.find(({ to_revision }) => to_revision > revision)
        : bars.findLast(({ to_revision }) => to_revision < revision);
    if (bar) goTo(`r${bar.to_revision}`);
  }

  const middle = (span.from_ms + span.to_ms) / 2;
  const zoomBy = (factor: number): void => {
    const is_shown = point_ms !== null && point_ms >= span.from_ms && point_ms <= span.to_ms;
    setZoom(zoomed(span, bounds, is_shown ? point_ms : middle, factor));
  };
  const bar =
    hover === null
      ? null
      : histogram?.buckets.find(isAt(timeAt(hover, span, width), histogram.bucket_ms));
  return (
    <div className={styles.timeline}>
      <div
        ref={frame}
        className={styles.frame}
        role="slider"
        tabIndex={0}
        aria-label={texts.timeline.title}
        aria-valuemin={0}
        aria-valuemax={overview?.to_revision ?? 0}
        aria-valuenow={event?.revision ?? 0}
        aria-valuetext={valueText(at, event?.summary, event?.timestamp_ms, zone)}
        onKeyDown={press}
        onPointerDown={(pointer) => {
          if (pointer.button !== 0) return;
          pointer.currentTarget.setPointerCapture(pointer.pointerId);
          setBrush([placeIn(pointer), placeIn(pointer)]);
        }}
        onPointerMove={(pointer) => {
          setHover(placeIn(pointer));
          if (brush) setBrush([brush[0], placeIn(pointer)]);
        }}
        onPointerUp={release}
        onPointerCancel={() => setBrush(null)}
        onPointerLeave={() => setHover(null)}
      >
        <canvas ref={canvas} className={styles.canvas} />
        {hover !== null && (
          <Hint place={hover} width={width}>
            {timeText(timeAt(hover, span, width), zone)}
            {bar && ` · ${texts.timeline.events(bar.count)}`}
          </Hint>
        )}
      </div>
      <div className={styles.zoom}>
        <ZoomButton label={texts.timeline.zoom_in} onClick={() => zoomBy(ZOOM_STEP)}>
          <ZoomInIcon size={16} />
        </ZoomButton>
        <ZoomButton
          label={texts.timeline.zoom_out}
          disabled={zoom === null}
          onClick={() => zoomBy(1 / ZOOM_STEP)}
        >
          <ZoomOutIcon size={16} />
        </ZoomButton>
        <ZoomButton
          label={texts.timeline.whole}
          disabled={zoom === null}
          onClick={() => setZoom(null)}
        >
          <FitIcon size={16} />
        </ZoomButton>
      </div>
    </div>
  );
}

interface ZoomButtonProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function ZoomButton({ label, disabled = false, onClick, children }: ZoomButtonProps) {
  return (
    <Tooltip label={label} position="left">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

interface HintProps {
  readonly place: number;
  readonly width: number;
  readonly children: React.ReactNode;
}

function Hint({ place, width, children }: HintProps) {
  const side = place > width / 2 ? { right: width - place + 8 } : { left: place + 8 };
  return (
    <div className={styles.hint} style={side} aria-hidden="true">
      {children}
    </div>
  );
}

const isAt =
  (ms: number, bucket_ms: number) =>
  ({ from_ms }: { readonly from_ms: number }): boolean =>
    from_ms <= ms && ms < from_ms + bucket_ms;

function valueText(
  at: string | null,
  summary: string | undefined,
  ms: number | undefined,
  zone: string,
): string {
  if (at !== null && ms === undefined) return visibleText(at);
  const when = at === null || ms === undefined ? texts.point.now : timeText(ms, zone);
  return summary ? `${when}: ${visibleText(summary)}` : when;
}
