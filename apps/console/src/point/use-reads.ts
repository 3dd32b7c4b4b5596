import { useMemo } from 'react';
import { type Reads, readsAt } from '../api/drive.js';
import { useDrive } from '../session/session-context.js';
import { usePoint } from './point-context.js';

/** The organization at the point, as the chosen person saw it. */
export function useReads(): Reads {
  const drive = useDrive();
  const { past } = usePoint();
  return useMemo(() => readsAt(drive, past), [drive, past]);
}
