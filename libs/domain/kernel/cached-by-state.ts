/** Values by key for each state, at most so many of a state, then cleared. They are freed with the state. */
export class CachedByState<Value> {
  private readonly states = new WeakMap<object, Map<string, Value>>();

  constructor(private readonly most: number) {}

  get(state: object, key: string): Value | undefined {
    return this.states.get(state)?.get(key);
  }

  set(state: object, key: string, value: Value): void {
    let values = this.states.get(state);
    if (!values) this.states.set(state, (values = new Map()));
    if (values.size >= this.most && !values.has(key)) values.clear();
    values.set(key, value);
  }
}
