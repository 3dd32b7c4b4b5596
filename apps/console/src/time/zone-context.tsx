import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { systemZone } from './zone.js';

interface ZoneSetting {
  /** The zone in which times are shown and entered. */
  readonly zone: string;
  readonly setZone: (zone: string) => void;
}

const ZoneContext = createContext<ZoneSetting>({ zone: 'UTC', setZone: () => {} });

/** Times are shown in the zone of the viewer's system, until another one is chosen. */
export function ZoneProvider({ children }: { readonly children: ReactNode }) {
  const [zone, setZone] = useState(systemZone);
  const setting = useMemo(() => ({ zone, setZone }), [zone]);
  return <ZoneContext value={setting}>{children}</ZoneContext>;
}

export function useZone(): ZoneSetting {
  return use(ZoneContext);
}
