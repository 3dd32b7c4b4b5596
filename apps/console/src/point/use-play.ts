import { useEffect, useState } from 'react';
import { usePoint } from './point-context.js';

/** Events a second. Faster, and the server would limit the requests of the pages. */
const SPEEDS = [1, 2, 4] as const;

/** Steps from event to event until there is none. */
export function usePlay() {
  const { step } = usePoint();
  const [is_playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(SPEEDS[0]);
  useEffect(() => {
    if (!is_playing) return;
    let is_stepping = false;
    const timer = setInterval(() => {
      if (is_stepping) return;
      is_stepping = true;
      step('next')
        .then((has_more) => has_more || setPlaying(false))
        .catch(() => setPlaying(false))
        .finally(() => (is_stepping = false));
    }, 1000 / speed);
    return () => clearInterval(timer);
  }, [is_playing, speed, step]);
  const nextSpeed = (): void => setSpeed(SPEEDS[(SPEEDS.indexOf(speed as 1) + 1) % SPEEDS.length]!);
  return { is_playing, setPlaying, speed, nextSpeed };
}
