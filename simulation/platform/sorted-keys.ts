/** In longer pieces, a new name would move too many others. */
const most = 1_000

/**
 * The names of all objects in order, which a listing would otherwise have to sort each time. They are in pieces: in one array,
 * each name of a busy day would move half a million others.
 */
export class SortedKeys {
  readonly #pieces: string[][] = [[]]

  add(key: string): void {
    const at = this.#pieceOf(key)
    const piece = this.#pieces[at] ?? []
    piece.splice(placeIn(piece, key), 0, key)
    if (piece.length > most) this.#pieces.splice(at + 1, 0, piece.splice(most / 2))
  }

  remove(key: string): void {
    const at = this.#pieceOf(key)
    const piece = this.#pieces[at] ?? []
    const place = placeIn(piece, key)
    if (piece[place] !== key) return
    piece.splice(place, 1)
    if (piece.length === 0 && this.#pieces.length > 1) this.#pieces.splice(at, 1)
  }

  /** The first names that begin with `prefix` and come after `after`. */
  list(prefix: string, after: string, limit: number): string[] {
    const from = prefix > after ? prefix : after
    const found: string[] = []
    for (let at = this.#pieceOf(from); at < this.#pieces.length; at++) {
      const piece = this.#pieces[at] ?? []
      for (let place = placeIn(piece, from); place < piece.length; place++) {
        const key = piece[place]
        if (key === after) continue
        if (found.length === limit || !key?.startsWith(prefix)) return found
        found.push(key)
      }
    }
    return found
  }

  /** The last piece that begins before this name. */
  #pieceOf(key: string): number {
    let [low, high] = [0, this.#pieces.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#pieces[middle]?.[0] ?? '') <= key) low = middle
      else high = middle - 1
    }
    return low
  }
}

function placeIn(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
