/** The beginning of a text, and what may follow it. */
export type Draft<Self> = {
  readonly tokens: readonly number[]
  /** How sure the decoder was of each. */
  readonly logProbabilities: readonly number[]
  readonly next: NextToken
  readonly add: (token: number) => Promise<Self>
}

/** The decoder's probabilities for the next token. */
export class NextToken {
  /** The most likely one; `otherwise` if every token is ruled out. */
  readonly token: number
  readonly #logits: Float32Array
  readonly #logSum: number

  constructor(logits: Float32Array, otherwise: number) {
    let token = -1
    let highest = Number.NEGATIVE_INFINITY
    for (let index = 0; index < logits.length; index++) {
      const logit = logits[index] ?? highest
      if (logit > highest) {
        highest = logit
        token = index
      }
    }
    let sum = 0
    for (let index = 0; index < logits.length; index++) {
      sum += Math.exp((logits[index] ?? highest) - highest)
    }
    this.token = token < 0 ? otherwise : token
    this.#logits = logits
    this.#logSum = token < 0 ? Number.NEGATIVE_INFINITY : highest + Math.log(sum)
  }

  logProbability(token: number): number {
    // Every token is ruled out, so the probability cannot be told.
    if (this.#logSum === Number.NEGATIVE_INFINITY) return 0
    return (this.#logits[token] ?? Number.NEGATIVE_INFINITY) - this.#logSum
  }
}

/** Asks once for each token: the names, and the continued text, may begin with the same one. */
export function once<D>(add: (token: number) => Promise<D>): (token: number) => Promise<D> {
  const added = new Map<number, Promise<D>>()
  return async (token) => {
    const asked = added.get(token) ?? add(token)
    added.set(token, asked)
    return asked
  }
}
