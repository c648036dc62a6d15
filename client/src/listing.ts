import type { CallOptions, Query, Transport } from './http/transport.ts'

export type Page<Item> = { data: Item[]; nextCursor: string | null }

type ReadPage<Item> = (cursor: string | undefined, options: CallOptions) => Promise<Page<Item>>

/**
 * A list that is read while you go through it: `for await (const video of spool.videos.list())`. Each page is asked for
 * when the one before it is used up.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  readonly #read: ReadPage<Item>
  readonly #options: CallOptions

  constructor(read: ReadPage<Item>, options: CallOptions) {
    this.#read = read
    this.#options = options
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.page(cursor)
      yield page
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }

  /** One page: the first, or the one that the `nextCursor` of another names. */
  async page(cursor?: string): Promise<Page<Item>> {
    return this.#read(cursor, this.#options)
  }

  /** Everything, in one array. */
  async all(): Promise<Item[]> {
    const items: Item[] = []
    for await (const item of this) items.push(item)
    return items
  }
}

/** What the service lists at an address. */
export function listAt<Item>(
  transport: Transport,
  path: string,
  { query, options }: { query?: Query; options: CallOptions },
): Listing<Item> {
  return new Listing(
    async (cursor, given) =>
      transport.json<Page<Item>>({ method: 'GET', path, query: { ...query, cursor } }, given),
    options,
  )
}
