import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { kindOf } from '../api/records.js';
import { usePoint } from '../point/point-context.js';
import { useReads } from '../point/use-reads.js';
import { useDrive } from '../session/session-context.js';
import { texts } from '../texts.js';
import { useNameOf, useRecord } from './record-link.js';

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
  const drive = useDrive();
  const { past } = usePoint();
  const reads = useReads();
  const [text, setText] = useState('');
  const { data: record } = useRecord(value ?? '', value !== null);
  const known = useNameOf(record);
  const name = known ?? texts.ids[value ?? ''] ?? value ?? '';
  const [typed] = useDebouncedValue(text.trim(), TYPING_MS);
  const query = typed === name ? '' : typed;
  const { data } = useQuery({
    queryKey: [drive.drive_id, 'records', past, query],
    queryFn: ({ signal }) =>
      reads.organization.search({ query, page_size: MOST_OPTIONS }, { signal }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const found = new Map<string, string>();
  if (value) found.set(value, name);
  if (kindOf(query)) found.set(query, query);
  for (const { resource_id, title } of query === '' ? [] : (data?.items ?? []))
    found.set(resource_id, titleOf(resource_id, title));
  for (const [table, title] of Object.entries(texts.ids))
    if (table !== 'PUBLIC' && title.toLowerCase().includes(query.toLowerCase()))
      found.set(table, title);
  return (
    <Select
      label={label}
      placeholder={texts.access.resource_placeholder}
      searchable
      clearable
      data={[...found].map(([id, title]) => ({ value: id, label: title }))}
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

/** Records of one name are told apart by their kind. */
function titleOf(id: string, title: string): string {
  const family = kindOf(id)?.family;
  const kind = (texts.kinds as Readonly<Record<string, string>>)[family ?? ''];
  return kind ? `${title} (${kind})` : title;
}
