/** The names of all objects in their order, which a listing would otherwise have to find each time. */
export class SortedKeys {
  readonly #keys: string[] = []

  add(key: string): void {
    this.#keys.splice(this.#placeOf(key), 0, key)
  }

  remove(key: string): void {
    const at = this.#placeOf(key)
    if (this.#keys[at] === key) this.#keys.splice(at, 1)
  }

  /** The first names that begin with this prefix and come after that one. */
  list(prefix: string, after: string, most: number): string[] {
    let at = this.#placeOf(prefix > after ? prefix : after)
    if (this.#keys[at] === after) at++
    const found: string[] = []
    for (; found.length < most; at++) {
      const key = this.#keys[at]
      if (!key?.startsWith(prefix)) break
      found.push(key)
    }
    return found
  }

  #placeOf(key: string): number {
    let [low, high] = [0, this.#keys.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
