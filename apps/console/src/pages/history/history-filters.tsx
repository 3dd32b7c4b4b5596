import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { TimelineFilters } from '../../point/timeline/timeline-filters.js';
import { useChangeView, useView } from '../../point/use-view.js';
import { texts } from '../../texts.js';

const TYPING_MS = 300;

/** Filters of the history: those of the timeline, and reason, record and request. */
export function HistoryFilters() {
  return (
    <TimelineFilters>
      <TextFilter name="reason" label={texts.history.reason} />
      <TextFilter name="resource" label={texts.history.record} />
      <TextFilter name="request" label={texts.history.request} />
    </TimelineFilters>
  );
}

interface TextFilterProps {
  /** The parameter of the address. */
  readonly name: string;
  readonly label: string;
}

function TextFilter({ name, label }: TextFilterProps) {
  const { params } = useView();
  const changeView = useChangeView();
  const value = params.get(name) ?? '';
  const [typed, setTyped] = useState({ text: value, of: value });
  const change = useDebouncedCallback((text: string) => {
    setTyped({ text, of: text.trim() });
    changeView({ [name]: text.trim(), up: null, down: null }, { replace: true });
  }, TYPING_MS);
  // A link may have changed the address since.
  const text = typed.of === value ? typed.text : value;
  return (
    <TextInput
      label={label}
      size="xs"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => {
        setTyped({ text: currentTarget.value, of: value });
        change(currentTarget.value);
      }}
    />
  );
}
