import type { HistoryItem } from '../api/answers.js';
import { describeError } from '../api/errors.js';
import { TextWithHashes } from '../components/hash.js';
import { UserText } from '../components/user-text.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import { usePoint } from './point-context.js';
import { isPoint } from './view.js';
import styles from './point-bar.module.css';

/** What happened at the point, or what is wrong with the point. */
export function EventLine({ event }: { readonly event: HistoryItem | null }) {
  const { at, event_error } = usePoint();
  if (event_error)
    return (
      <p className={`${styles.event} ${styles.wrong}`} role="alert">
        {at === null || isPoint(at)
          ? visibleText(describeError(event_error).message)
          : texts.point.not_understood(visibleText(at))}
      </p>
    );
  if (!event) return <p className={styles.event} />;
  const { summary, reason, revision } = event;
  return (
    <p className={styles.event} aria-live="polite">
      <span className={styles.revision}>{texts.point.revision(revision)}</span>
      <span className={styles.summary} title={visibleText(summary)}>
        <TextWithHashes text={summary} />
        {reason && (
          <span className={styles.reason}>
            {' '}
            — <UserText text={reason} />
          </span>
        )}
      </span>
    </p>
  );
}
