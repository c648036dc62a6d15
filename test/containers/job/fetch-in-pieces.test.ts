import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fetchHere } from '../../support/containers/fetch-here.ts'
import { aSourceServer } from '../../support/containers/service-for-all.ts'

const pieceBytes = 100_000

type Stored = { bytes: Buffer; etag: string }

/** Answers as a bucket does: the asked bytes of a file that still has the asked version, or else all of it. */
function answerRange(request: IncomingMessage, response: ServerResponse, file: Stored): void {
  const { bytes, etag } = file
  const { range = '', 'if-range': version = etag } = request.headers
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  if (first === undefined || version !== etag) {
    response.writeHead(200, { ETag: etag, 'Content-Length': bytes.length }).end(bytes)
    return
  }
  const end = Math.min(bytes.length, last ? Number(last) + 1 : bytes.length)
  const held = `bytes ${first}-${end - 1}/${bytes.length}`
  response
    .writeHead(206, { ETag: etag, 'Content-Range': held })
    .end(bytes.subarray(Number(first), end))
}

async function fetchStored(
  answer: (request: IncomingMessage, response: ServerResponse, hit: number) => void,
  origin: 'storage' | 'customer' = 'storage',
) {
  const server = await aSourceServer()
  const ranges: (string | undefined)[] = []
  const url = server.route('/stored', (request, response) => {
    ranges.push(request.headers.range)
    answer(request, response, ranges.length)
  })
  const { folder, shares } = await fetchHere({
    urls: [url],
    input: { origin },
    limits: { tellsPrivateFaults: true, ownPieceBytes: pieceBytes },
  })
  return { ranges, shares, bytes: await readFile(path.join(folder, 'in0')) }
}

describe('a file in our own storage', () => {
  it.each([250_000, 200_000, 100_000, 99_999, 1])(
    'is fetched in pieces if it is larger than one: %i bytes',
    async (size) => {
      const file = { bytes: randomBytes(size), etag: '"v1"' }
      const { ranges, shares, bytes } = await fetchStored((...asked) =>
        answerRange(asked[0], asked[1], file),
      )
      expect(bytes.equals(file.bytes)).toBe(true)
      const pieces = Math.ceil(size / pieceBytes)
      const wanted = Array.from({ length: pieces }, (_, i) => i * pieceBytes)
      expect(ranges).toEqual(wanted.map((from) => `bytes=${from}-${from + pieceBytes - 1}`))
      expect(shares).toEqual(shares.toSorted((a, b) => a - b))
      expect(shares.at(-1)).toBe(1)
    },
  )

  it('is fetched from its start again if it changes between two pieces', async () => {
    const before = { bytes: randomBytes(250_000), etag: '"v1"' }
    const after = { bytes: randomBytes(150_000), etag: '"v2"' }
    const { bytes } = await fetchStored((request, response, hit) =>
      answerRange(request, response, hit === 1 ? before : after),
    )
    expect(bytes.equals(after.bytes)).toBe(true)
  })

  it('continues in the middle of a piece that broke off', async () => {
    const file = { bytes: randomBytes(250_000), etag: '"v1"' }
    const { ranges, bytes } = await fetchStored((request, response, hit) => {
      if (hit !== 2) return answerRange(request, response, file)
      const half = file.bytes.subarray(pieceBytes, pieceBytes * 1.5)
      response.writeHead(206, { ETag: '"v1"', 'Content-Range': 'bytes 100000-199999/250000' })
      response.write(half, () => response.destroy())
    })
    expect(bytes.equals(file.bytes)).toBe(true)
    expect(ranges[1]).toBe('bytes=100000-199999')
    expect(Number(/\d+/.exec(ranges[2] ?? '')?.[0])).toBeGreaterThanOrEqual(pieceBytes)
  })

  it('may fail once for every piece, however many there are', async () => {
    const file = { bytes: randomBytes(5 * pieceBytes), etag: '"v1"' }
    const { ranges, bytes } = await fetchStored((request, response, hit) => {
      if (hit % 2 === 0) answerRange(request, response, file)
      else response.writeHead(503).end()
    })
    expect(bytes.equals(file.bytes)).toBe(true)
    expect(ranges).toHaveLength(10)
  })

  it('is taken whole from a server that knows no ranges', async () => {
    const whole = randomBytes(250_000)
    const { ranges, bytes } = await fetchStored((_request, response) => response.end(whole))
    expect(bytes.equals(whole)).toBe(true)
    expect(ranges).toHaveLength(1)
  })
})

it('a file at the address of a customer is fetched in one request', async () => {
  const file = { bytes: randomBytes(250_000), etag: '"v1"' }
  const { ranges } = await fetchStored(
    (request, response) => answerRange(request, response, file),
    'customer',
  )
  expect(ranges).toEqual([undefined])
})
