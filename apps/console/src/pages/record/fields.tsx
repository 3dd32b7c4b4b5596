import type { AnyRecord } from '../../api/records.js';
import { FieldValue, fieldName } from '../../components/field-value.js';
import { texts } from '../../texts.js';
import styles from './record.module.css';

/** Fields that other parts of the page show, or that say something of the auditor instead of the record. */
const ELSEWHERE = new Set(['permission_previews', 'member_previews', 'group_previews', 'raw_url']);

interface FieldsProps {
  readonly record: AnyRecord;
  readonly changed: ReadonlySet<string>;
}

/** The fields of a record; empty ones are only named. */
export function Fields({ record, changed }: FieldsProps) {
  const fields = Object.keys(record).filter((field) => !ELSEWHERE.has(field));
  const isShown = (field: string): boolean => changed.has(field) || !isEmpty(record[field]);
  const empty = fields.filter((field) => !isShown(field));
  return (
    <>
      <dl className={styles.fields}>
        {fields.filter(isShown).map((field) => (
          <div key={field} data-changed={changed.has(field) || undefined}>
            <dt>{fieldName(field)}</dt>
            <dd>
              <FieldValue field={field} value={record[field]} />
            </dd>
          </div>
        ))}
      </dl>
      {empty.length > 0 && (
        <p className={styles.empty}>{texts.record.empty(empty.map(fieldName).join(', '))}</p>
      )}
    </>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
