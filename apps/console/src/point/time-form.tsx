import { Button, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  allZones,
  localText,
  msOfLocal,
  offsetOf,
  offsetText,
  timesOfLocal,
  timeText,
} from '../time/zone.js';
import { useZone } from '../time/zone-context.js';
import { texts } from '../texts.js';
import { usePoint } from './point-context.js';
import { revisionOf, timeOf, timePoint } from './view.js';

export interface FormProps {
  /** The point that is chosen now, which need not be that of the page. */
  readonly at: string | null;
  readonly onChoose: (at: string | null) => void;
}

/** What the input shows, and which of the times it is if clocks show it twice. */
interface Entered {
  readonly text: string;
  readonly place: number;
}

function enteredOf(ms: number, zone: string): Entered {
  const text = localText(ms, zone);
  const seconds = Math.floor(ms / 1000) * 1000;
  return { text, place: Math.max(0, timesOfLocal(text, zone)?.indexOf(seconds) ?? 0) };
}

/** The time and the revision of a point, as far as the page knows them. */
export function useChosen(at: string | null) {
  const point = usePoint();
  const bookmark = point.bookmarks.find(({ name }) => `@${name}` === at);
  const event = at === point.at ? point.event : null;
  return {
    at_ms: at === null ? null : (timeOf(at) ?? bookmark?.at_ms ?? event?.timestamp_ms ?? null),
    revision: revisionOf(at) ?? bookmark?.revision ?? event?.revision ?? null,
  };
}

/** A choice of a time, in any zone. */
export function TimeForm({ at, onChoose }: FormProps) {
  const { overview } = usePoint();
  const { at_ms } = useChosen(at);
  const { zone, setZone } = useZone();
  const [{ text, place }, setEntered] = useState(() => enteredOf(at_ms ?? Date.now(), zone));
  const [problem, setProblem] = useState<string | null>(null);
  const times = timesOfLocal(text, zone);
  const ms = times?.[place] ?? null;
  // Such as 02:30 on the day on which clocks go from 02:00 to 03:00.
  const skipped =
    times?.length === 0
      ? texts.point.time_skipped(zone, timeText(msOfLocal(text, zone)!, zone))
      : null;

  function change(next: Entered): void {
    setEntered(next);
    setProblem(null);
  }

  function submit(form: FormEvent): void {
    form.preventDefault();
    if (ms === null) setProblem(skipped ?? texts.point.time_missing);
    else if (ms > Date.now()) setProblem(texts.point.time_in_future);
    else if (overview && ms < Math.floor(overview.from_ms / 1000) * 1000)
      setProblem(texts.point.time_before_first(timeText(overview.from_ms, zone)));
    // An input without milliseconds means the whole second.
    else onChoose(timePoint(Math.min(ms + 999, Date.now())));
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          type="datetime-local"
          step={1}
          label={texts.point.time}
          value={text}
          onChange={({ currentTarget }) => change({ text: currentTarget.value, place: 0 })}
          error={skipped ?? problem}
          data-autofocus
        />
        {times?.length === 2 && (
          <div>
            <Text size="xs" mb={4} role="status">
              {texts.point.time_twice}
            </Text>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label={texts.point.time_twice}
              value={String(place)}
              onChange={(value) => change({ text, place: Number(value) })}
              data={[texts.point.times.first, texts.point.times.second].map((name, index) => ({
                value: String(index),
                label: name(offsetText(offsetOf(times[index]!, zone))),
              }))}
            />
          </div>
        )}
        <Select
          label={texts.point.zone}
          description={texts.point.zone_hint}
          searchable
          allowDeselect={false}
          limit={100}
          data={allZones()}
          value={zone}
          comboboxProps={{ withinPortal: false }}
          onChange={(next) => {
            if (next === null) return;
            const same = ms ?? msOfLocal(text, zone);
            setZone(next);
            if (same !== null) change(enteredOf(same, next));
          }}
        />
        <Button type="submit">{texts.point.show}</Button>
      </Stack>
    </form>
  );
}
