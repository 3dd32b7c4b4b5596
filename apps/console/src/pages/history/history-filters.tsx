import { TextInput } from '@mantine/core';
import { TimelineFilters } from '../../point/timeline/timeline-filters.js';
import { useTypedParameter } from '../../point/use-view.js';
import { texts } from '../../texts.js';

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
  const [text, type] = useTypedParameter(name);
  return (
    <TextInput
      label={label}
      size="xs"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
