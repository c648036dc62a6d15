/** Random numbers from a seed: the same in every run (mulberry32). */
export class Random {
  #state: number

  constructor(...seeds: readonly number[]) {
    this.#state = seeds.reduce(
      (state, seed) => Math.imul(state ^ seed, 0x9e3779b1) ^ (state >>> 15),
      1,
    )
  }

  /** 0 … 1, without 1. */
  share(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.share() * limit)
  }

  between(least: number, most: number): number {
    return least + this.share() * (most - least)
  }

  /** Approximately normal, with variance one. */
  noise(): number {
    return (this.share() + this.share() + this.share() + this.share() - 2) * Math.sqrt(3)
  }

  chance(share: number): boolean {
    return this.share() < share
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0]
  }
}
