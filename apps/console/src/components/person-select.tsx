import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { readsAt } from '../api/drive.js';
import { usePersonName } from '../api/person-name.js';
import { usePoint } from '../point/point-context.js';
import { useDriveQuery } from '../session/use-drive-query.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import { personOptions } from './person-options.js';

const MOST_OPTIONS = 30;
const TYPING_MS = 200;

interface PersonSelectProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (user_id: string | null) => void;
  /** Also people who have a contact now, but had none at the point. */
  readonly with_present?: boolean;
  /** Options stay within the popover, which would close otherwise. */
  readonly is_in_popover?: boolean;
  readonly size?: string;
}

/** A choice among the contacts at the point, by name, mail address or id. */
export function PersonSelect(props: PersonSelectProps) {
  const {
    label,
    value,
    onChange,
    with_present = false,
    is_in_popover = false,
    size = 'sm',
  } = props;
  const { past } = usePoint();
  const [text, setText] = useState('');
  const name = visibleText(usePersonName(value));
  const [typed] = useDebouncedValue(text, TYPING_MS);
  const filters = typed === name ? '' : typed;
  const { data } = useDriveQuery(
    ['persons', past.at, with_present, filters],
    async (drive, options) => {
      const points = with_present ? [...new Set([past.at, null])] : [past.at];
      const body = { filters, page_size: MOST_OPTIONS };
      const pages = await Promise.all(
        points.map((at) => readsAt(drive, { at, as_user: null }).contacts.list(body, options)),
      );
      return [...new Map(pages.flatMap(({ items }) => items).map((one) => [one.id, one])).values()];
    },
    { placeholderData: keepPreviousData },
  );
  const chosen = value === null ? null : { id: value, name };
  return (
    <Select
      label={label}
      placeholder={texts.person.placeholder}
      size={size}
      searchable
      clearable
      data={personOptions(chosen, data ?? [])}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      // The server searches.
      filter={({ options: all }) => all}
      nothingFoundMessage={texts.person.nobody}
      comboboxProps={{ withinPortal: !is_in_popover }}
      {...(is_in_popover && { 'data-autofocus': true })}
    />
  );
}
