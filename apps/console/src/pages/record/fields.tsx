import { Button } from '@mantine/core';
import { useState } from 'react';
import type { AnyRecord } from '../../api/records.js';
import { FieldValue, fieldName } from '../../components/field-value.js';
import { texts } from '../../texts.js';
import styles from './record.module.css';

/** Fields that other parts of the page show, or that say something of the auditor instead of the record. */
const ELSEWHERE = new Set(['permission_previews', 'member_previews', 'group_previews', 'raw_url']);

/** Fields that let whoever reads them act: shown on request, and never on paper. */
const SECRETS = new Set(['auth_json', 'redeem_code', 'signature']);
/** What the API shows instead of a secret to callers who may not read it. */
const MASKED = '***';

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
              {SECRETS.has(field) && !isEmpty(record[field]) && record[field] !== MASKED ? (
                <Secret key={record.id} field={field} value={record[field]} />
              ) : (
                <FieldValue field={field} value={record[field]} />
              )}
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

function Secret({ field, value }: { readonly field: string; readonly value: unknown }) {
  const [is_shown, setShown] = useState(false);
  if (!is_shown)
    return (
      <>
        {MASKED}{' '}
        <Button size="compact-xs" variant="default" onClick={() => setShown(true)}>
          {texts.record.show_secret(fieldName(field))}
        </Button>
      </>
    );
  return (
    <>
      <span className={styles.secret}>
        <FieldValue field={field} value={value} />
      </span>
      <span className={styles.masked}>{MASKED}</span>
    </>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
