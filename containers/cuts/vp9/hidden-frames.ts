import type { Packets } from '../../ffmpeg/measure-packing.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { PacketUnits } from '../bits/packet-units.ts'
import { vp9FramesOf, type Vp9Frame } from './vp9-frames.ts'

/**
 * Follows the hidden frames of VP9 from a key frame on. Encoders store them many pictures before the one that shows them, and
 * anybody with the file can make a decoder show them: a run that ends in between would reveal pictures that were removed.
 */
export class HiddenFrames {
  readonly #units: PacketUnits
  /** The number of the hidden frame in each reference slot. */
  readonly #slots: (number | undefined)[] = Array.from({ length: 8 }, () => undefined)
  /** Hidden frames that have not been shown yet. */
  readonly #hidden = new Set<number>()
  #count = 0
  #isLost = false

  constructor(units: PacketUnits) {
    this.#units = units
  }

  /**
   * Goes on with the next packet. Tells whether every frame up to its end was shown; `lost` if one of them never will be, or if
   * the packet cannot be read.
   */
  async follow(packet: number): Promise<'shown' | 'hidden' | 'lost'> {
    const frames = await vp9FramesOf(this.#units, packet)
    this.#isLost ||= frames.length === 0
    for (const frame of frames) this.#decode(frame)
    if (this.#isLost) return 'lost'
    return this.#hidden.size === 0 ? 'shown' : 'hidden'
  }

  #decode(frame: Vp9Frame): void {
    if (frame.showsExisting) {
      this.#show(this.#slots[frame.slot])
      return
    }
    const { isShown, refreshes, references } = frame
    const predictedFrom = new Set(references.map((slot) => this.#slots[slot]))
    const replaced = new Set(refreshes.map((slot) => this.#slots[slot]))
    const own = isShown ? undefined : this.#count++
    if (own !== undefined) this.#hidden.add(own)
    for (const slot of refreshes) this.#slots[slot] = own
    for (const one of replaced) {
      // A frame that is predicted from a hidden one and replaces it shows it: the overlay of an alt-ref frame.
      const isOverlay = isShown && predictedFrom.has(one)
      if (isOverlay && !this.#slots.includes(one)) this.#show(one)
    }
    this.#isLost ||= [...this.#hidden].some((one) => !this.#slots.includes(one))
  }

  #show(hidden: number | undefined): void {
    if (hidden !== undefined) this.#hidden.delete(hidden)
  }
}

/** Whether a piece of the result has a hidden frame that it does not show. Each piece begins with a key frame. */
export async function keepsHiddenFrames(
  { folder, signal }: ToolContext,
  { path, packing }: { readonly path: string; readonly packing: Packets },
  pieces: readonly { readonly places: { readonly from: number; readonly to: number } }[],
): Promise<boolean> {
  await using units = new PacketUnits(folder, {
    files: [{ path, from: 0, startSeconds: 0 }],
    packing,
  })
  let packet = 0
  for (const { places } of pieces) {
    const hidden = new HiddenFrames(units)
    let frames = 'shown'
    for (let i = places.from; i < places.to; i++) {
      signal.throwIfAborted()
      frames = await hidden.follow(packet++)
    }
    if (frames !== 'shown') return true
  }
  return false
}
