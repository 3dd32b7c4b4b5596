import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { describeError } from '../api/errors.js';
import { useDrive } from '../session/session-context.js';
import { usePoint } from './point-context.js';

/** Most events a second: a step waits until the page shows the one before. */
const SPEEDS = [1, 2, 4] as const;

/** Steps from event to event until there is none, or until the server limits the requests. */
export function usePlay() {
  const { step } = usePoint();
  const { drive_id } = useDrive();
  const queries = useQueryClient();
  const [is_playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(SPEEDS[0]);
  useEffect(() => {
    if (!is_playing) return;
    let is_stepping = false;
    const timer = setInterval(() => {
      if (is_stepping || queries.isFetching({ queryKey: [drive_id] }) > 0) return;
      is_stepping = true;
      step('next')
        .then((has_more) => has_more || setPlaying(false))
        .catch(() => setPlaying(false))
        .finally(() => (is_stepping = false));
    }, 1000 / speed);
    const unsubscribe = queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return;
      if (describeError(event.action.error).status === 429) setPlaying(false);
    });
    return () => {
      clearInterval(timer);
      unsubscribe();
    };
  }, [drive_id, is_playing, queries, speed, step]);
  const nextSpeed = (): void => setSpeed(SPEEDS[(SPEEDS.indexOf(speed as 1) + 1) % SPEEDS.length]!);
  return { is_playing, setPlaying, speed, nextSpeed };
}
