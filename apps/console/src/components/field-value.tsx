import { Badge, Code } from '@mantine/core';
import { Time } from '../time/time.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import { Hash, isHash } from './hash.js';
import { RecordLink } from './record-link.js';
import { UserText } from './user-text.js';
import styles from './field-value.module.css';

/** Ids of records, and the other values that stand where ids do. */
const ID = /^(?:[A-Z][A-Za-z]*ID_[\w-]+|PUBLIC|TABLE_[A-Z_]+)$/;
const TIME = /(?:_at|_ms|_from)$/;
/** Times in which 0 means from the start; in others it means none. */
const BEGIN = /^(?:begin_date_ms|begins_at|active_from)$/;
const DURATION = /^(?:autoexpire_ms|bucket_ms)$/;
const BYTES = /(?:_bytes|_size|^size)$/;
/** Earlier numbers are no times of this service. */
const FIRST_TIME = Date.UTC(2000, 0, 1);

interface FieldValueProps {
  readonly field: string;
  readonly value: unknown;
}

/** A value of a record in the form that its field calls for. */
export function FieldValue({ field, value }: FieldValueProps) {
  if (value === null || value === undefined || value === '') return <None />;
  if (typeof value === 'boolean') return value ? texts.values.yes : texts.values.no;
  if (typeof value === 'number') return <NumberValue field={field} value={value} />;
  if (typeof value === 'string') return <TextValue field={field} text={value} />;
  if (Array.isArray(value)) return <ListValue field={field} values={value} />;
  return (
    <Code block className={styles.json!}>
      {visibleText(JSON.stringify(value, null, 2))}
    </Code>
  );
}

function None() {
  return <span className={styles.none}>{texts.values.none}</span>;
}

function NumberValue({ field, value }: { readonly field: string; readonly value: number }) {
  if (BYTES.test(field)) return bytesText(value);
  if (!TIME.test(field) || DURATION.test(field)) return value.toLocaleString(texts.locale);
  if (value === -1) return texts.values.never;
  if (value === 0) return BEGIN.test(field) ? texts.values.always : <None />;
  if (value < FIRST_TIME) return String(value);
  return <Time ms={value} />;
}

function TextValue({ field, text }: { readonly field: string; readonly text: string }) {
  // The page of a record says its own id in full.
  if (field !== 'id' && ID.test(text)) return <RecordLink id={text} />;
  if (isHash(text)) return <Hash hex={text} />;
  return (
    <span className={styles.text}>
      <UserText text={text} />
    </span>
  );
}

function ListValue({
  field,
  values,
}: {
  readonly field: string;
  readonly values: readonly unknown[];
}) {
  if (values.length === 0) return <None />;
  if (values.some((value) => typeof value === 'object'))
    return (
      <Code block className={styles.json!}>
        {visibleText(JSON.stringify(values, null, 2))}
      </Code>
    );
  return (
    <span className={styles.list}>
      {values.map((value) => {
        const text = String(value);
        return ID.test(text) ? (
          <FieldValue key={text} field={field} value={text} />
        ) : (
          <Badge key={text} variant="default" radius="sm" tt="none" fw={500}>
            <UserText text={text} />
          </Badge>
        );
      })}
    </span>
  );
}

/** Such as `1.5 MB`. */
export function bytesText(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(texts.locale, {
    ...{ style: 'unit', unit: units[power]!, unitDisplay: power === 0 ? 'long' : 'short' },
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}

/** `Created at` for `created_at`. */
export function fieldName(field: string): string {
  const known = (texts.fields as Readonly<Record<string, string>>)[field];
  if (known) return known;
  const words = field.replace(/_(?:ms|uuid|id)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
