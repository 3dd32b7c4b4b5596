import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { usePoint } from '../point/point-context.js';
import { useReads } from '../point/use-point-query.js';
import { useDriveQuery } from '../session/use-drive-query.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import { useNameOf, useRecord } from './record-link.js';
import { recordOptions } from './record-options.js';

const MOST_OPTIONS = 30;
const TYPING_MS = 200;

interface RecordSelectProps {
  readonly label: string;
  /** Id of a record, or name of a table. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** A choice among the records at the point, by name or id. */
export function RecordSelect({ label, value, onChange }: RecordSelectProps) {
  const { past } = usePoint();
  const reads = useReads();
  const [text, setText] = useState('');
  const { data: record } = useRecord(value ?? '', value !== null);
  const known = useNameOf(record);
  const name = visibleText(known ?? texts.ids[value ?? ''] ?? value ?? '');
  const [typed] = useDebouncedValue(text.trim(), TYPING_MS);
  // Until the name is known, the field shows the id of the chosen record.
  const query = typed === name || typed === value ? '' : typed;
  const { data } = useDriveQuery(
    ['records', past, query],
    async (_, options) =>
      (await reads()).organization.search({ query, page_size: MOST_OPTIONS }, options),
    { enabled: query !== '', placeholderData: keepPreviousData },
  );
  const chosen = value === null ? null : { id: value, name };
  const choices = recordOptions(chosen, query, query === '' ? [] : (data?.items ?? []));
  return (
    <Select
      label={label}
      placeholder={texts.access.resource_placeholder}
      searchable
      clearable
      data={choices}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      // The server searches.
      filter={({ options }) => options}
      nothingFoundMessage={texts.access.nothing_found}
    />
  );
}
