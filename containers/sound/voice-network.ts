import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** What the network takes at once: 16 ms at the rate of pcm.ts. */
const blockSamples = 768
/** Measured: what comes out is this much later than what went in. */
export const voiceDelay = 890

const wasm = import.meta.resolve('@sapphi-red/web-noise-suppressor/gtcrn.wasm')

/** As much of it as is used here: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  instantiate: (
    bytes: Uint8Array,
    imports: Record<string, Record<string, () => number>>,
  ) => Promise<{ instance: { exports: unknown } }>
}

/** The names that the compiler of the package left; its version is pinned. */
type Exports = {
  readonly c: { readonly buffer: ArrayBuffer }
  readonly d: () => void
  readonly e: () => number
  readonly j: (state: number, input: number, output: number) => void
  readonly k: (bytes: number) => number
}

/**
 * GTCRN (Rong and others, 2024), a small network that was taught what voices sound like: from a mono stream it makes
 * what of it is voice, up to 8 kHz.
 */
export class VoiceNetwork {
  readonly #exports: Exports
  readonly #state: number
  readonly #input: number
  readonly #output: number
  readonly #block = new Float32Array(blockSamples)
  #filled = 0

  private constructor(exports: Exports) {
    this.#exports = exports
    this.#state = exports.e()
    this.#input = exports.k(this.#block.byteLength)
    this.#output = exports.k(this.#block.byteLength)
  }

  static async load(): Promise<VoiceNetwork> {
    const bytes = await readFile(fileURLToPath(wasm))
    const { instance } = await WebAssembly.instantiate(bytes, {
      a: {
        a: () => {
          throw new Error('The voice network failed')
        },
        // It never asks for more than it begins with: its state is made once.
        b: () => 0,
      },
    })
    // The package has no types for these.
    const exports = instance.exports as Exports
    exports.d()
    return new VoiceNetwork(exports)
  }

  push(sample: number, onVoice: (voice: Float32Array) => void): void {
    this.#block[this.#filled] = sample
    this.#filled += 1
    if (this.#filled < blockSamples) return
    this.#filled = 0
    const { buffer } = this.#exports.c
    new Float32Array(buffer, this.#input, blockSamples).set(this.#block)
    this.#exports.j(this.#state, this.#input, this.#output)
    onVoice(new Float32Array(buffer, this.#output, blockSamples))
  }
}
