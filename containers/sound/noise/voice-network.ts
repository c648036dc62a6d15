import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The network takes 16 ms at a time, at the rate of pcm.ts. */
const blockSamples = 768
/** Its output is this many samples late; measured. */
export const voiceDelay = 890

const wasm = import.meta.resolve('@sapphi-red/web-noise-suppressor/gtcrn.wasm')

/** Declares the part that is used here: the types for Node leave WebAssembly to those for browsers. */
declare const WebAssembly: {
  instantiate: (
    bytes: Uint8Array,
    imports: Record<string, Record<string, () => number>>,
  ) => Promise<{ instance: { exports: unknown } }>
}

/** The compiler shortened these names. They can change with any version of the package, which is therefore pinned. */
type Exports = {
  readonly c: { readonly buffer: ArrayBuffer }
  readonly d: () => void
  readonly e: () => number
  readonly j: (state: number, input: number, output: number) => void
  readonly k: (bytes: number) => number
}

/**
 * GTCRN (Rong and others, 2024), a small network trained on voices: from a mono stream it makes a stream with only the
 * voice in it, up to 8 kHz.
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
        // Growing the memory is refused; it never happens, because the state is allocated only once.
        b: () => 0,
      },
    })
    // The package has no types for its exports.
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
