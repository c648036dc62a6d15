import type { z } from 'zod'
import { partsOfARound, type partResult, type PartTry } from '../../contract/job/part-job.ts'
import type { ShownPart } from '../../contract/job/shown-part.ts'
import type { Borrower } from '../../service/line/lending.ts'
import type { PendingUpload } from '../../store/objects/objects.ts'

/** One try of one part. `offered`: it is not known yet whether a media worker takes it. */
export type GivenPart = PartTry & {
  state: 'offered' | 'running' | 'stored' | 'failed' | 'stopped'
  /** The borrowed slot in which it is rendered, as the job counts them. */
  slot: number
  worker?: string
  pictures: number
  bytes: number
  /** The part is a range of the sound to transcribe, not of the pictures. */
  isHeard?: boolean
  startedAt: number
  endedAt?: number
  leaseUntil: number
  upload?: PendingUpload
  result?: z.infer<typeof partResult>
  why?: string
}

/** `fence`: of the attempt whose film this is. `slots`: those that are lent to the job. */
type LedgerFilm = { fence: number; borrower: Borrower; slots: number[] }

/** A file that parts read. */
type FilmFile = { upload: PendingUpload; isStored: boolean }

/**
 * The parts that are rendered for the film of one attempt, in the storage of its object. A job that is rendered whole
 * stores nothing here.
 */
export class PartLedger {
  readonly #storage: DurableObjectStorage['kv']

  constructor({ kv }: DurableObjectStorage) {
    this.#storage = kv
  }

  film(): LedgerFilm | undefined {
    return this.#storage.get<LedgerFilm>('film')
  }

  open(film: Pick<LedgerFilm, 'fence' | 'borrower'>): void {
    if (!this.film()) this.#storage.put('film', { ...film, slots: [] })
  }

  hold(slot: number): void {
    const film = this.film()
    if (!film || film.slots.includes(slot)) return
    this.#storage.put('film', { ...film, slots: [...film.slots, slot] })
  }

  giveUp(slot: number): void {
    const film = this.film()
    if (film) {
      const slots = film.slots.filter((one) => one !== slot)
      this.#storage.put('film', { ...film, slots })
    }
  }

  find(part: PartTry): GivenPart | undefined {
    return this.#storage.get<GivenPart>(keyOf(part))
  }

  save(part: GivenPart): void {
    this.#storage.put(keyOf(part), part)
  }

  remove(part: PartTry): void {
    this.#storage.delete(keyOf(part))
  }

  all(): GivenPart[] {
    return [...this.#storage.list<GivenPart>({ prefix: 'part/' })].map(([, part]) => part)
  }

  active(): GivenPart[] {
    return this.all().filter(isActive)
  }

  /** The lowest number that no part has: a container that has just rendered a part comes before a new one. */
  lowestFreeSlot(except: ReadonlySet<number>): number {
    const taken = new Set([...except, ...this.active().map(({ slot }) => slot)])
    const idle = (this.film()?.slots ?? []).filter((slot) => !taken.has(slot))
    if (idle.length > 0) return Math.min(...idle)
    let slot = 0
    while (taken.has(slot)) slot++
    return slot
  }

  /** The slots in which nothing has been rendered since this time. */
  idleSince(at: number): number[] {
    const parts = this.all()
    return (this.film()?.slots ?? []).filter((slot) =>
      parts.every((part) => part.slot !== slot || (!isActive(part) && (part.endedAt ?? 0) <= at)),
    )
  }

  file(name: string): FilmFile | undefined {
    return this.#storage.get<FilmFile>(`film-file/${name}`)
  }

  saveFile(name: string, file: FilmFile): void {
    this.#storage.put(`film-file/${name}`, file)
  }

  /** Uploads that have begun and have not ended. */
  openUploads(): PendingUpload[] {
    const files = [...this.#storage.list<FilmFile>({ prefix: 'film-file/' })]
    return [
      ...files.flatMap(([, { upload, isStored }]) => (isStored ? [] : [upload])),
      ...this.all().flatMap(({ upload, state }) => (upload && state !== 'stored' ? [upload] : [])),
    ]
  }

  forget(): void {
    for (const prefix of ['part/', 'film-file/']) {
      for (const [key] of [...this.#storage.list({ prefix })]) this.#storage.delete(key)
    }
    // Deleted last: without this entry, the others would never be looked for.
    this.#storage.delete('film')
  }

  /** The parts of the pictures as readers see them: one entry for all tries of a part, since the film was last begun. */
  shown(now: number): ShownPart[] {
    const all = this.all().filter(({ isHeard }) => !isHeard)
    const first = Math.max(0, ...all.map(({ n }) => n - (n % partsOfARound)))
    const tries = new Map<number, GivenPart[]>()
    for (const part of all) {
      const n = part.n - first
      if (n >= 0) tries.set(n, [...(tries.get(n) ?? []), { ...part, n }])
    }
    return [...tries.values()].map((all) => show(all, now)).sort((a, b) => a.n - b.n)
  }
}

export function isActive({ state }: GivenPart): boolean {
  return state === 'offered' || state === 'running'
}

function keyOf({ n, try: number }: PartTry): string {
  return `part/${n}/${number}`
}

function show(tries: readonly GivenPart[], now: number): ShownPart {
  const latest = tries.reduce((a, b) => (b.try > a.try ? b : a))
  const best = tries.find(({ state }) => state === 'stored') ?? tries.find(isActive) ?? latest
  const { n, startedAt, endedAt = now, state } = best
  return {
    n,
    state: state === 'offered' ? 'running' : state,
    tries: tries.length,
    pictures: best.result?.pictures ?? best.pictures,
    durationMs: Math.max(0, endedAt - startedAt),
  }
}
