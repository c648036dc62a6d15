import type { SoundFile } from './sound-file.ts'

type State = { readonly isWhole: boolean; readonly changed: PromiseWithResolvers<undefined> }

/** What is known of a file that somebody else writes. */
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

/** The samples of a sound in pieces of this length, each as soon as it is there; the last may be shorter. */
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

/** Once there is as much as wanted, or no more to come. */
async function lengthOf(sound: SoundFile, wanted: number, growth: Growth): Promise<number> {
  for (;;) {
    // Before the length: what was whole by then is measured in full.
    const { isWhole, changed } = growth.state
    const length = await sound.lengthNow()
    if (isWhole || length >= wanted) return length
    await changed.promise
  }
}
