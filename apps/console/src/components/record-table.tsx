import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import type { Page } from '../api/answers.js';
import type { PageCursors } from '../point/use-view.js';
import { texts } from '../texts.js';
import styles from './record-table.module.css';

export interface Column<R> {
  /** Name for the sort order and the address. */
  readonly key: string;
  readonly title: string;
  readonly show: (row: R) => ReactNode;
  /** What rows are sorted by; absent: they cannot be sorted by this column. */
  readonly order?: (row: R) => string | number;
  /** Numbers are aligned to the right. */
  readonly is_number?: boolean;
  /** Left out on narrow screens. */
  readonly is_minor?: boolean;
  /** Left out on paper: it has only links and buttons. */
  readonly on_screen_only?: boolean;
}

/** The key of a column, with `-` in front for the reverse order. */
export type Sort = string | null;

interface RecordTableProps<R> {
  /** Says what the table lists. */
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  /** Rows to point out, such as those that the event at the point changed. */
  readonly isMarked?: (row: R) => boolean;
  /** Still the rows of another request. */
  readonly is_stale?: boolean;
}

/** Tables of more columns are wider than a phone: there, each row becomes a card. */
const MOST_ON_PHONES = 3;

export function RecordTable<R>(props: RecordTableProps<R>) {
  const { label, columns, rows, keyOf, sort = null, onSort, isMarked, is_stale = false } = props;
  const has_cards = columns.filter(({ is_minor }) => !is_minor).length > MOST_ON_PHONES;
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-busy={is_stale} data-cards={has_cards || undefined}>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Header key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-marked={isMarked?.(row) || undefined}>
              {columns.map(({ key, title, show, is_number, is_minor, on_screen_only }) => (
                <td
                  key={key}
                  data-label={title}
                  data-number={is_number || undefined}
                  data-minor={is_minor || undefined}
                  data-screen-only={on_screen_only || undefined}
                >
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeaderProps<R> {
  readonly column: Column<R>;
  readonly sort: Sort;
  readonly onSort: ((sort: Sort) => void) | undefined;
}

function Header<R>({ column, sort, onSort }: HeaderProps<R>) {
  const { key, title, order, is_number, is_minor, on_screen_only } = column;
  const is_up = sort === key;
  const is_down = sort === `-${key}`;
  const marks = {
    'data-number': is_number || undefined,
    'data-minor': is_minor || undefined,
    'data-screen-only': on_screen_only || undefined,
  };
  if (!order || !onSort)
    return (
      <th scope="col" {...marks}>
        {title}
      </th>
    );
  return (
    <th scope="col" aria-sort={is_up ? 'ascending' : is_down ? 'descending' : 'none'} {...marks}>
      <button type="button" onClick={() => onSort(is_up ? `-${key}` : key)}>
        {title}
        <span aria-hidden="true" className={styles.arrow}>
          {is_up ? '↑' : is_down ? '↓' : '↕'}
        </span>
      </button>
    </th>
  );
}

/** Rows in the order of a column; those of equal value stay in place. */
export function sorted<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  sort: Sort,
): readonly R[] {
  const key = sort?.replace(/^-/, '');
  const order = columns.find((column) => column.key === key)?.order;
  if (!order) return rows;
  const sign = sort!.startsWith('-') ? -1 : 1;
  return rows.toSorted((one, other) => sign * compare(order(one), order(other)));
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), texts.locale, { numeric: true });
}

interface OthersProps {
  readonly total: number;
  readonly shown: number;
}

/** Says how many records of a list there are if not all are shown. */
export function Others({ total, shown }: OthersProps) {
  if (total <= shown) return null;
  return (
    <Text size="sm" c="dimmed" mt="sm">
      {texts.table.total(total, shown)}
    </Text>
  );
}

interface PagingProps {
  /** Null cursors: there is no page before or behind. */
  readonly page: Omit<Page<unknown>, 'items'>;
  readonly shown: number;
  /** What they are called; records if absent. */
  readonly text?: (total: number, shown: number) => string;
  readonly onTurn: (to: PageCursors) => void;
}

/** How many records there are, and ways to the others. */
export function Paging({ page, shown, text = texts.table.total, onTurn }: PagingProps) {
  const { total, cursor_up, cursor_down } = page;
  const row = useRef<HTMLDivElement>(null);
  const turn = (to: PageCursors): void => {
    // The next page is read from its beginning.
    const list = row.current?.parentElement;
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView();
    onTurn(to);
  };
  return (
    <Group ref={row} justify="space-between" mt="sm">
      <Text size="sm" c="dimmed" role="status">
        {text(total, shown)}
      </Text>
      {(cursor_up || cursor_down) && (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            disabled={!cursor_up}
            onClick={() => turn({ cursor_up })}
          >
            {texts.table.previous}
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={!cursor_down}
            onClick={() => turn({ cursor_down })}
          >
            {texts.table.next}
          </Button>
        </Group>
      )}
    </Group>
  );
}
