import { useCallback, useEffect, useMemo, useRef } from 'react';
import { usePoint } from '../point-context.js';
import { useChangeView, useView } from '../use-view.js';
import { timePoint } from '../view.js';
import { between, showing, type Span, spanOf } from './scale.js';

/** Shortest history that is shown. */
const SHORTEST_MS = 60_000;

interface Zoom {
  /** The whole history. */
  readonly bounds: Span;
  readonly span: Span;
  /** What is shown, unless that is everything. */
  readonly zoom: Span | null;
  /** Two times in any order; null: everything. */
  readonly setZoom: (to: Span | readonly [number, number] | null) => void;
}

/** The part of the history that the timeline shows; in the address. It follows the point when that moves. */
export function useZoom(point_ms: number | null): Zoom {
  const { overview } = usePoint();
  const { params } = useView();
  const changeView = useChangeView();
  const [from, to] = [params.get('from'), params.get('to')];
  const [from_ms, to_ms] = [overview?.from_ms ?? 0, overview?.to_ms ?? 0];
  const bounds = useMemo(
    () => ({ from_ms, to_ms: Math.max(to_ms, from_ms + SHORTEST_MS) }),
    [from_ms, to_ms],
  );
  const zoom = useMemo(() => spanOf(from, to, bounds), [from, to, bounds]);

  const setZoom = useCallback<Zoom['setZoom']>(
    (next) => {
      const span = next && ('from_ms' in next ? next : between(next[0], next[1], bounds));
      const is_all = !span || (span.from_ms <= bounds.from_ms && span.to_ms >= bounds.to_ms);
      changeView(
        is_all
          ? { from: null, to: null }
          : { from: timePoint(span.from_ms), to: timePoint(span.to_ms) },
        { replace: true },
      );
    },
    [bounds, changeView],
  );

  const followed = useRef(point_ms);
  useEffect(() => {
    if (followed.current === point_ms) return;
    followed.current = point_ms;
    if (!zoom) return;
    const next = showing(zoom, bounds, point_ms ?? bounds.to_ms);
    if (next !== zoom) setZoom(next);
  }, [point_ms, zoom, bounds, setZoom]);

  return { bounds, span: zoom ?? bounds, zoom, setZoom };
}
