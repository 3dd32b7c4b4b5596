/** One line of the table. */
export interface Line {
  readonly what: string;
  /** As in the design; empty where there is none. */
  readonly target: string;
  readonly measured: string;
  /** What it was measured beside. */
  readonly reference: string;
  /** Whether the target is met; null without one. */
  readonly holds: boolean | null;
  /** All figures behind the line. */
  readonly figures: Readonly<Record<string, number>>;
}

/** What a row may use. */
export interface Bench {
  /** Fewer rounds, smaller data. */
  readonly is_quick: boolean;
  /** Folder for profiles of the processes under test; undefined: none are made. */
  readonly profile: string | undefined;
  readonly progress: (text: string) => void;
  /** An empty folder, removed at the end. */
  folder(): Promise<string>;
}

/** One row of the design's table: what is measured, beside what. */
export interface Row {
  /** For `--only`; the name of its file. */
  readonly name: string;
  /** Runs only when it is named: it needs a server, or a program such as Chromium. */
  readonly is_by_hand?: true;
  run(bench: Bench): Promise<readonly Line[]>;
}

/** A file of `rows/`. */
export interface RowModule {
  readonly row: Row;
  /** The part that runs in a process of its own. */
  readonly inside?: (input: never, progress: (text: string) => void) => Promise<unknown>;
}
