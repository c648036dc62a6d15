/** Things that will happen, in the order of their times: a binary heap. Those of one time come in any fixed order. */
export class EventQueue<Event> {
  readonly #times: number[] = []
  readonly #events: Event[] = []

  get nextAt(): number | undefined {
    return this.#times[0]
  }

  add(at: number, event: Event): void {
    let i = this.#times.length
    this.#times.push(at)
    this.#events.push(event)
    while (i > 0) {
      const above = (i - 1) >> 1
      if (this.#at(above) <= at) break
      this.#swap(i, above)
      i = above
    }
  }

  take(): Event | undefined {
    const first = this.#events[0]
    const [lastAt, last] = [this.#times.pop(), this.#events.pop()]
    if (lastAt === undefined || last === undefined || this.#times.length === 0) return first
    this.#times[0] = lastAt
    this.#events[0] = last
    this.#sink()
    return first
  }

  #sink(): void {
    for (let i = 0; ;) {
      const [left, right] = [2 * i + 1, 2 * i + 2]
      let least = i
      if (this.#at(left) < this.#at(least)) least = left
      if (this.#at(right) < this.#at(least)) least = right
      if (least === i) return
      this.#swap(i, least)
      i = least
    }
  }

  #at(i: number): number {
    return this.#times[i] ?? Infinity
  }

  #swap(a: number, b: number): void {
    const [time, event] = [this.#times[a], this.#events[a]]
    this.#times[a] = this.#times[b] as number
    this.#events[a] = this.#events[b] as Event
    this.#times[b] = time as number
    this.#events[b] = event as Event
  }
}
