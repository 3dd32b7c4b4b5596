/**
 * The stores that services under test work on, where `test/combinations` runs the specs: variables for the service,
 * and another API process on the same stores.
 */
export interface Combination {
  readonly env: Readonly<Record<string, string>>;
  /** Another process with the same variables, where the stores serve several. It speaks of itself as `port`. */
  readonly replica: { readonly url: string; readonly port: number } | null;
  /** True: each service has an event store server of its own, since what lies beside its events is in its folder. */
  readonly own_event_store?: boolean;
}

/** Null: the embedded stores, a fresh folder for each service. */
export const COMBINATION: Combination | null = JSON.parse(process.env.TEST_COMBINATION ?? 'null');
