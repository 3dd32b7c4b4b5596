import type { EventChange } from '../api/answers.js';
import { texts } from '../texts.js';
import { FieldValue, fieldName } from './field-value.js';
import { RecordLink } from './record-link.js';
import styles from './changes.module.css';

interface ChangesProps {
  readonly changes: readonly EventChange[];
  /** True: all changes are of one record, which is not named again. */
  readonly of_one_record?: boolean;
}

export function Changes({ changes, of_one_record = false }: ChangesProps) {
  if (changes.length === 0) return <p className={styles.none}>{texts.changes.none}</p>;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          {!of_one_record && <th scope="col">{texts.changes.record}</th>}
          <th scope="col">{texts.changes.field}</th>
          <th scope="col">{texts.changes.before}</th>
          <th scope="col">{texts.changes.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ resource_id, field, before, after }) => (
          <tr key={`${resource_id} ${field}`}>
            {!of_one_record && (
              <td data-label={texts.changes.record}>
                <RecordLink id={resource_id} />
              </td>
            )}
            <th scope="row">{fieldName(field)}</th>
            <td className={styles.before} data-label={texts.changes.before}>
              <FieldValue field={field} value={before} />
            </td>
            <td className={styles.after} data-label={texts.changes.after}>
              <FieldValue field={field} value={after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
