type Entry<Event> = readonly [at: number, event: Event]

/** Things that will happen, in the order of their times: a binary heap. Those of one time come in any fixed order. */
export class EventQueue<Event> {
  readonly #heap: Entry<Event>[] = []

  get nextAt(): number | undefined {
    return this.#heap[0]?.[0]
  }

  add(at: number, event: Event): void {
    const entry = [at, event] as const
    this.#rise(this.#heap.push(entry) - 1, entry)
  }

  take(): Event | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (last && last !== first) this.#sink(last)
    return first?.[1]
  }

  #rise(from: number, entry: Entry<Event>): void {
    let i = from
    for (let above; i > 0; i = above) {
      above = (i - 1) >> 1
      const other = this.#heap[above]
      if (!other || other[0] <= entry[0]) break
      this.#heap[i] = other
    }
    this.#heap[i] = entry
  }

  #sink(entry: Entry<Event>): void {
    const at = (i: number): number => this.#heap[i]?.[0] ?? Infinity
    let i = 0
    for (;;) {
      const least = at(2 * i + 2) < at(2 * i + 1) ? 2 * i + 2 : 2 * i + 1
      const other = this.#heap[least]
      if (!other || other[0] >= entry[0]) break
      this.#heap[i] = other
      i = least
    }
    this.#heap[i] = entry
  }
}
