import { Random as RepeatableNumbers } from '../../bench/harness/random.js';

/** Repeatable random numbers, and weighted choices. */
export class Random extends RepeatableNumbers {
  /** One of several, each as often as its weight says. */
  weighted<Value>(choices: readonly (readonly [number, Value])[]): Value {
    let rest = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    return (choices.find(([weight]) => (rest -= weight) < 0) ?? choices[0]!)[1];
  }
}
