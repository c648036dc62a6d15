import { linkSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '../../containers/errors/code-of.ts'

/**
 * Objects that a backup still has to copy. Each gets a second name on the same disk, so that its bytes stay although the
 * service removes it, as after a customer has deleted the video.
 */
export class HeldObjects {
  readonly #source: string
  readonly #folder: string
  readonly #held = new Set<string>()
  #canLink = true

  constructor(source: string, folder: string) {
    this.#source = source
    this.#folder = folder
    rmSync(folder, { recursive: true, force: true })
  }

  hold(names: readonly string[]): void {
    for (const name of names) if (this.#canLink && !this.#held.has(name)) this.#link(name)
  }

  /** Where the bytes of an object are. */
  placeOf(name: string): string {
    return path.join(this.#held.has(name) ? this.#folder : this.#source, name)
  }

  release(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #link(name: string): void {
    const place = path.join(this.#folder, name)
    mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
    try {
      linkSync(path.join(this.#source, name), place)
      this.#held.add(name)
    } catch (error) {
      // It was removed a moment ago, so no row names it.
      if (codeOf(error) === 'ENOENT') return
      // A file system without links: an object that is removed before it is copied then fails the backup.
      this.#canLink = false
    }
  }
}
