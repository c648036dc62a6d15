const firstBytes = 32_768

/** Numbers that come one by one, hours of them, at the size that their kind of array takes. */
export class GrowingColumn<Column extends Float64Array | Uint8Array> {
  #memory = new ArrayBuffer(firstBytes)
  #values: Column
  #count = 0
  readonly #make: (memory: ArrayBuffer) => Column

  constructor(make: (memory: ArrayBuffer) => Column) {
    this.#make = make
    this.#values = make(this.#memory)
  }

  get length(): number {
    return this.#count
  }

  push(value: number): void {
    if (this.#count === this.#values.length) this.#resize(this.#count * 2)
    this.#values[this.#count++] = value
  }

  /** The values that were pushed, in an array of just that length. Nothing can be pushed afterwards. */
  finish(): Column {
    this.#resize(this.#count)
    return this.#values
  }

  /** Keeps the memory, made longer or shorter: copies of all columns would double what hours of video take. */
  #resize(length: number): void {
    this.#memory = this.#memory.transfer(length * this.#values.BYTES_PER_ELEMENT)
    this.#values = this.#make(this.#memory)
  }
}
