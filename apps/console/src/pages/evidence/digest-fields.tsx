import type { Digest } from '../../api/answers.js';
import { Time } from '../../time/time.js';
import { texts } from '../../texts.js';
import styles from './evidence.module.css';

/** The members of a digest that people compare. */
export function DigestFields({ digest }: { readonly digest: Digest }) {
  const { rows } = texts.evidence;
  return (
    <dl className={styles.fields}>
      <dt>{rows.revision}</dt>
      <dd>
        {digest.revision.toLocaleString(texts.locale)} ({texts.evidence.events(digest.size)})
      </dd>
      <dt>{rows.signed}</dt>
      <dd>
        <Time ms={digest.timestamp_ms} />
      </dd>
      <dt>{rows.log_root}</dt>
      <dd className={styles.hash}>{digest.log_root}</dd>
      <dt>{rows.chain_hash}</dt>
      <dd className={styles.hash}>{digest.chain_hash}</dd>
      <dt>{rows.state_hash}</dt>
      <dd className={styles.hash}>{digest.state_hash ?? '—'}</dd>
      <dt>{rows.public_key}</dt>
      <dd className={styles.hash}>{digest.public_key}</dd>
    </dl>
  );
}
