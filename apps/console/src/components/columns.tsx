import type { AnyRecord } from '../api/records.js';
import { texts } from '../texts.js';
import { FieldValue } from './field-value.js';
import type { Column } from './record-table.js';

/** A column with a field of records, which are not sorted by it. */
export function unsortedField<R extends object = AnyRecord>(
  key: keyof R & string,
  options: Partial<Column<R>> = {},
): Column<R> {
  return {
    key,
    title: texts.columns[key as keyof typeof texts.columns] ?? key,
    show: (record) => <FieldValue field={key} value={record[key]} />,
    ...options,
  };
}

/** A column with a field of records. */
export function field(key: string, options: Partial<Column<AnyRecord>> = {}): Column<AnyRecord> {
  const order = (record: AnyRecord): string | number => {
    const value = record[key];
    return typeof value === 'number' ? value : textOf(record, key).toLowerCase();
  };
  return unsortedField(key, { order, ...options });
}

/** A field as text; empty without a value. */
export function textOf(record: AnyRecord, key: string): string {
  const value = record[key] ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
