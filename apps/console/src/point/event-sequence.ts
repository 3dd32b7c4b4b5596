/** Consecutive events of an organization that match a filter, read in pages around where somebody looks. */

/** What this needs of an event. */
export interface Numbered {
  readonly revision: number;
}

interface ReadPart<E> {
  readonly events: readonly E[];
  /** True if no other event of the range matches. */
  readonly has_all: boolean;
}

/**
 * Events of a range that match the filter, ascending; at most `limit` from the range's beginning or end, fewer if they
 * are long.
 */
type ReadEvents<E> = (
  range: { readonly from: number; readonly to: number },
  end: 'first' | 'last',
  limit: number,
) => Promise<ReadPart<E>>;

/** All matching events between two revisions, both included. */
interface Segment<E> {
  readonly from: number;
  readonly to: number;
  readonly events: readonly E[];
}

const PAGE = 50;
/** Further events are read ahead when fewer than these are left. */
const AHEAD = 15;
/** Maximum events in memory. */
const MOST_EVENTS = 5_000;

export class EventSequence<E extends Numbered> {
  /** Disjoint, ascending. */
  private segments: readonly Segment<E>[] = [];
  /** Readings under way, by what they read. */
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly readEvents: ReadEvents<E>) {}

  /** The first matching event from a revision on, up to another one. */
  async firstFrom(revision: number, head: number): Promise<E | null> {
    if (revision > head) return null;
    const segment = this.at(revision);
    const found = segment?.events.find((event) => event.revision >= revision);
    if (found) {
      const is_near_end = segment!.events.at(-AHEAD)?.revision ?? -1;
      if (found.revision >= is_near_end) this.readAhead(segment!.to + 1, head, 'first');
      return found.revision <= head ? found : null;
    }
    if (segment && segment.to >= head) return null;
    await this.read(segment ? segment.to + 1 : revision, head, 'first');
    return this.firstFrom(revision, head);
  }

  /** The last matching event up to a revision. */
  async lastUpTo(revision: number): Promise<E | null> {
    if (revision < 0) return null;
    const segment = this.at(revision);
    const found = segment?.events.findLast((event) => event.revision <= revision);
    if (found) {
      if (found.revision <= (segment!.events.at(AHEAD)?.revision ?? Infinity))
        this.readAhead(0, segment!.from - 1, 'last');
      return found;
    }
    if (segment?.from === 0) return null;
    await this.read(0, segment ? segment.from - 1 : revision, 'last');
    return this.lastUpTo(revision);
  }

  /** The event of a revision if it is in memory. */
  known(revision: number): E | undefined {
    return this.at(revision)?.events.find((event) => event.revision === revision);
  }

  private at(revision: number): Segment<E> | undefined {
    return this.segments.find(({ from, to }) => from <= revision && revision <= to);
  }

  private readAhead(from: number, to: number, end: 'first' | 'last'): void {
    const is_known = this.at(end === 'first' ? from : to) !== undefined;
    // What fails is read again when it is needed.
    if (from <= to && !is_known) void this.read(from, to, end).catch(() => {});
  }

  private read(from: number, to: number, end: 'first' | 'last'): Promise<void> {
    if (from > to) return Promise.resolve();
    const name = end === 'first' ? `${from}-` : `-${to}`;
    const running =
      this.running.get(name) ??
      this.readEvents({ from, to }, end, PAGE)
        .then((part) => this.add(segmentOf(part, from, to, end)))
        .finally(() => this.running.delete(name));
    this.running.set(name, running);
    return running;
  }

  /** Adds a segment, joined with its neighbours. Of too many events those read first are forgotten. */
  private add(added: Segment<E>): void {
    let joined = added;
    const others: Segment<E>[] = [];
    for (const segment of this.segments)
      if (segment.to < joined.from - 1 || segment.from > joined.to + 1) others.push(segment);
      else joined = join(joined, segment);
    const all = others.reduce((sum, { events }) => sum + events.length, joined.events.length);
    this.segments = (all > MOST_EVENTS ? [added] : [...others, joined]).toSorted(
      (one, other) => one.from - other.from,
    );
  }
}

function segmentOf<E extends Numbered>(
  { events, has_all }: ReadPart<E>,
  from: number,
  to: number,
  end: 'first' | 'last',
): Segment<E> {
  if (has_all) return { from, to, events };
  return end === 'first'
    ? { from, to: events.at(-1)!.revision, events }
    : { from: events[0]!.revision, to, events };
}

function join<E extends Numbered>(one: Segment<E>, other: Segment<E>): Segment<E> {
  const events = new Map([...other.events, ...one.events].map((event) => [event.revision, event]));
  return {
    from: Math.min(one.from, other.from),
    to: Math.max(one.to, other.to),
    events: [...events.values()].toSorted((a, b) => a.revision - b.revision),
  };
}
