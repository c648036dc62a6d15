import { rate } from '../mix.ts'
import { Random } from '../random.ts'

/** Paul Kellet's filter: within 0.1 dB of −3 dB an octave. */
export class PinkNoise {
  readonly #random: Random
  readonly #poles = new Float64Array(7)

  constructor(random: Random) {
    this.#random = random
  }

  next(): number {
    const white = this.#random.noise()
    const poles = this.#poles
    let sum = (poles[6] ?? 0) + white * 0.5362
    for (const [i, [keep, take]] of kellet.entries()) {
      const value = (poles[i] ?? 0) * keep + white * take
      poles[i] = value
      sum += value
    }
    poles[6] = white * 0.115926
    return sum
  }
}

const kellet = [
  [0.99886, 0.0555179],
  [0.99332, 0.0750759],
  [0.969, 0.153852],
  [0.8665, 0.3104856],
  [0.55, 0.5329522],
  [-0.7616, -0.016898],
] as const

export async function pink(seconds: number, seed = 1): Promise<Float32Array> {
  const source = new PinkNoise(new Random(seed))
  return Float32Array.from({ length: Math.round(seconds * rate) }, () => source.next() * 0.1)
}
