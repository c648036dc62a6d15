export type FlagValue = string | number | boolean | object | readonly unknown[]

/** What a command line says, checked against the flags of its command. */
export class Given {
  readonly positionals: readonly string[]
  readonly #values: ReadonlyMap<string, FlagValue>

  constructor(positionals: readonly string[], values: ReadonlyMap<string, FlagValue>) {
    this.positionals = positionals
    this.#values = values
  }

  value(flag: string): FlagValue | undefined {
    return this.#values.get(flag)
  }

  has(flag: string): boolean {
    return this.#values.has(flag)
  }

  isOn(flag: string): boolean {
    return this.#values.get(flag) === true
  }

  text(flag: string): string | undefined {
    const value = this.#values.get(flag)
    return typeof value === 'string' ? value : undefined
  }

  number(flag: string): number | undefined {
    const value = this.#values.get(flag)
    return typeof value === 'number' ? value : undefined
  }

  texts(flag: string): readonly string[] {
    const value = this.#values.get(flag)
    return Array.isArray(value) ? value.map(String) : []
  }

  /** The only positional of a command that needs one. */
  get first(): string {
    return this.positionals[0] ?? ''
  }
}
