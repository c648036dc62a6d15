/** A number from 0 up to 1 that depends on seed and key alone, not on earlier draws. */
export function draw(seed: number, key: string): number {
  return mixed(seed, key) / 2 ** 32
}

/** A short name for a key, for command lines and diaries. */
export function nameOf(seed: number, key: string): string {
  return mixed(seed, key).toString(36).padStart(7, '0')
}

function mixed(seed: number, key: string): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * A sequence of random numbers for code that asks for them. Each piece of work has a sequence of its own, so that leaving one
 * event out of a history does not change the ids of all others.
 */
export class Chance {
  #state: number

  constructor(seed: number, key: string) {
    this.#state = mixed(seed, key)
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mix = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix
    return ((mix ^ (mix >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.whole(0, items.length - 1)] ?? items[0]
  }
}
