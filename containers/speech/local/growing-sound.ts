import type { SoundFile } from './sound-file.ts'

type State = { readonly isWhole: boolean; readonly changed: PromiseWithResolvers<undefined> }

/** The state of a file that another process is writing. */
export class Growth {
  #state: State = { isWhole: false, changed: Promise.withResolvers() }

  get state(): State {
    return this.#state
  }

  grown(isWhole: boolean): void {
    const { changed, isWhole: wasWhole } = this.#state
    this.#state = { isWhole: isWhole || wasWhole, changed: Promise.withResolvers() }
    changed.resolve(undefined)
  }
}

/** Yields the samples of a sound in pieces of this length, each as soon as it is complete; the last may be shorter. */
export async function* piecesAsTheyCome(
  sound: SoundFile,
  pieceLength: number,
  growth: Growth,
): AsyncGenerator<Float32Array> {
  for (let from = 0; ; from += pieceLength) {
    const length = await lengthOf(sound, from + pieceLength, growth)
    if (from >= length) return
    yield await sound.read(from, Math.min(length, from + pieceLength))
  }
}

/** Waits until the sound has the wanted length, or is complete. */
async function lengthOf(sound: SoundFile, wanted: number, growth: Growth): Promise<number> {
  for (;;) {
    // Read the state before the length, so that a complete file is measured in full.
    const { isWhole, changed } = growth.state
    const length = await sound.lengthNow()
    if (isWhole || length >= wanted) return length
    await changed.promise
  }
}
