const firstBytes = 32_768

/** Collects numbers one by one, for hours of video, in an array of their own type. */
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

  /** The values pushed so far, in an array of exactly that length. Nothing can be pushed afterwards. */
  finish(): Column {
    this.#resize(this.#count)
    return this.#values
  }

  /** Makes the memory longer or shorter in place: copies of all columns would double what hours of video take. */
  #resize(length: number): void {
    this.#memory = this.#memory.transfer(length * this.#values.BYTES_PER_ELEMENT)
    this.#values = this.#make(this.#memory)
  }
}
