import { isDriveError } from '../../../../libs/client/src/index.js';
import type { HistoryItem } from '../api/answers.js';
import { describeError } from '../api/errors.js';
import { TextWithHashes } from '../components/hash.js';
import { UserText } from '../components/user-text.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import { usePoint } from './point-context.js';
import { isPoint } from './view.js';
import styles from './point-bar.module.css';

/** What is wrong with a point, as a sentence. */
export function pointProblem(at: string | null, error: unknown): string {
  if (at !== null && !isPoint(at)) return texts.point.not_understood(visibleText(at));
  if (isDriveError(error, 'bookmark.not-found')) return texts.point.no_bookmark(visibleText(at!));
  if (isDriveError(error, 'point.out-of-range', 'request.invalid')) return texts.point.outside;
  return visibleText(describeError(error).message);
}

/** What happened at the point, or what is wrong with the point. */
export function EventLine({ event }: { readonly event: HistoryItem | null }) {
  const { at, event_error } = usePoint();
  if (event_error)
    return (
      <p className={`${styles.event} ${styles.wrong}`} role="alert">
        {pointProblem(at, event_error)}
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
