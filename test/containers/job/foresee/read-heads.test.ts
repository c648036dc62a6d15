import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { takeVideo } from '../../../../containers/ffmpeg/take-video.ts'
import { fetchInputs } from '../../../../containers/job/fetch/fetch-inputs.ts'
import { TooMuchToReadError } from '../../../../containers/job/fetch/tables-of.ts'
import { transferDefaults } from '../../../../containers/job/fetch/transfer-limits.ts'
import { ownService } from '../../../support/containers/own-service.ts'
import { aSourceServer } from '../../../support/containers/service-for-all.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'

const heads = { pieceBytes: 4_096, wholeBytes: 20_000 }

async function fetchHead(file: string, sendsPieces = true) {
  const bytes = await readFile(file)
  const server = await aSourceServer()
  let sent = 0
  const url = server.route('/film', ({ headers }, response) => {
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
    const [from, to] = sendsPieces ? [Number(first), Number(last) + 1] : [0, bytes.length]
    const piece = bytes.subarray(from, Math.min(to, bytes.length))
    sent += piece.length
    if (sendsPieces && piece.length === 0) {
      response.writeHead(416, { 'Content-Range': 'bytes */0' }).end('There are no such bytes.')
      return
    }
    const range = `bytes ${from}-${from + piece.length - 1}/${bytes.length}`
    response.writeHead(sendsPieces ? 206 : 200, {
      ...{ ETag: '"v1"', 'Content-Length': piece.length },
      ...(sendsPieces && { 'Content-Range': range }),
    })
    response.end(piece)
  })
  const tools = await aToolContext()
  const partial: string[] = []
  const [name = ''] = await fetchInputs({
    inputs: [{ field: 'fileUrl', url, origin: 'customer', heads }],
    folder: tools.folder,
    signal: tools.signal,
    onProgress: () => undefined,
    onHead: (head) => partial.push(head),
    limits: {
      ...transferDefaults,
      ...{ allowedHosts: new Set(['127.0.0.1']), tellsPrivateFaults: true },
      own: ownService('https://api.spool.example'),
      ...{ maxSourceBytes: 1e9, maxJobInputBytes: 1e9, roomBytes: 1e9, totalMs: 60_000 },
    },
  })
  return { tools, name, partial, sent, size: bytes.length }
}

const coding = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '64k']

it.each([
  { where: 'at the end', extension: 'mp4', more: [] },
  { where: 'in front', extension: 'mov', more: ['-movflags', '+faststart'] },
  { where: 'nowhere', extension: 'mkv', more: [] },
])('measures a large file by its tables $where ($extension)', async ({ extension, more }) => {
  const seconds = 20
  const file = await makeVideo({
    seconds,
    size: '320x180',
    extension,
    coding: [...coding, ...more],
  })
  const { tools, name, partial, sent, size } = await fetchHead(file)
  expect(partial).toEqual([name])
  expect(sent).toBeLessThan(size / 3)
  expect((await stat(path.join(tools.folder, name))).size).toBe(size)
  const asked = { path: name, field: 'fileUrl', maxSeconds: 3_600, isPartial: true }
  const { facts } = await takeVideo(tools, asked)
  expect(facts.durationSeconds).toBeCloseTo(seconds, 1)
  expect(facts).toMatchObject({
    // What Matroska holds is moved into MP4.
    format: extension === 'mov' ? 'mov' : 'mp4',
    video: { codec: 'h264', width: 320, height: 180, averageFps: 25 },
    audio: { codec: 'aac' },
  })
})

it('gives up a large file that cannot be read in parts', async () => {
  const film = (extension: string) => makeVideo({ seconds: 20, size: '320x180', extension, coding })
  const readable = /^fileUrl: a plan reads at most 20000 bytes/
  await expect(fetchHead(await film('ts'))).rejects.toThrow(TooMuchToReadError)
  await expect(fetchHead(await film('mp4'), false)).rejects.toThrow(readable)
})

it('takes a file of which a server can send no first piece as what it is: empty', async () => {
  const { tools, name, partial, size } = await fetchHead('/dev/null')
  expect([size, partial]).toEqual([0, []])
  expect((await stat(path.join(tools.folder, name))).size).toBe(0)
})
