const firstRoom = 4_096

/** Numbers that come one by one, hours of them, at the size that their kind of array takes. */
export class GrowingColumn<Column extends Float64Array | Uint8Array> {
  #values: Column
  #count = 0
  readonly #make: (length: number) => Column

  constructor(make: (length: number) => Column) {
    this.#make = make
    this.#values = make(firstRoom)
  }

  get length(): number {
    return this.#count
  }

  push(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = this.#make(this.#count * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#count++] = value
  }

  /** What was pushed, in an array that is no longer than that. */
  finish(): Column {
    const exact = this.#make(this.#count)
    exact.set(this.#values.subarray(0, this.#count))
    return exact
  }
}
