import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { usePersonName } from '../api/person-name.js';
import { UserText } from '../components/user-text.js';
import { usePoint } from '../point/point-context.js';
import { PointText } from '../point/point-picker.js';
import { useView } from '../point/use-view.js';
import { useSession } from '../session/session-context.js';
import { Time } from '../time/time.js';
import { useZone } from '../time/zone-context.js';
import { texts } from '../texts.js';
import styles from './print-head.module.css';

/** On paper only: of which organization and which point a page is, when it was printed, and as whom it was seen. */
export function PrintHead() {
  const { org_name, drive_id } = useSession();
  const { event } = usePoint();
  const { as_user } = useView();
  const { zone } = useZone();
  const person = usePersonName(as_user);
  const printed_ms = usePrintingTime();
  return (
    <dl className={styles.head}>
      <dt>{texts.print.organization}</dt>
      <dd>
        <UserText text={org_name} /> ({drive_id})
      </dd>
      <dt>{texts.point.title}</dt>
      <dd>
        <PointText />
        {event && (
          <>
            {' · '}
            {texts.point.revision(event.revision)}, <Time ms={event.timestamp_ms} />:{' '}
            <UserText text={event.summary} />
          </>
        )}
      </dd>
      {as_user && (
        <>
          <dt>{texts.view_as.title}</dt>
          <dd>
            <UserText text={person} /> ({as_user})
          </dd>
        </>
      )}
      <dt>{texts.point.zone}</dt>
      <dd>{zone}</dd>
      <dt>{texts.print.printed}</dt>
      <dd>
        <Time ms={printed_ms} />
      </dd>
      <dt>{texts.print.address}</dt>
      <dd className={styles.address}>{window.location.href}</dd>
    </dl>
  );
}

function usePrintingTime(): number {
  const [ms, setMs] = useState(() => Date.now());
  useEffect(() => {
    // Browsers print what the page shows when this handler returns.
    const onPrint = (): void => flushSync(() => setMs(Date.now()));
    window.addEventListener('beforeprint', onPrint);
    return () => window.removeEventListener('beforeprint', onPrint);
  }, []);
  return ms;
}
