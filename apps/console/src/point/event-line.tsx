import type { HistoryItem } from '../api/answers.js';
import { TextWithHashes } from '../components/hash.js';
import { UserText } from '../components/user-text.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import styles from './point-bar.module.css';

/** What happened at the point. */
export function EventLine({ event }: { readonly event: HistoryItem | null }) {
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
