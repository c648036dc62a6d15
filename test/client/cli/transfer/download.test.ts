import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { saveFile, type Download } from '../../../../client/src/cli/transfer/download.ts'
import { AnsweringServer, type Asked } from '../../support/answering-server.ts'
import type { ServerResponse } from 'node:http'
import { directoryForEach } from '../../../support/node/directories.ts'

const content = Buffer.from('0123456789')
const folder = directoryForEach()
const target = path.join(folder, 'out.mp4')
let server: AnsweringServer

/** Answers ranges; `cutAfter` breaks the connection off after that number of bytes. */
function serve({ headers }: Asked, response: ServerResponse, cutAfter = Infinity): void {
  const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
  if (start >= content.length) {
    response.writeHead(416, { 'Content-Range': `bytes */${content.length}` }).end()
    return
  }
  const rest = content.subarray(start)
  response.writeHead(start > 0 ? 206 : 200, { 'Content-Length': rest.length })
  if (rest.length <= cutAfter) response.end(rest)
  else response.write(rest.subarray(0, cutAfter), () => response.destroy())
}

function download(links: string[] = []): Download {
  return {
    link: async () => {
      links.push('asked')
      return `${server.origin}/files/out.mp4`
    },
    mark: 'v_12345678-video',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    timing: { pause: async () => undefined, random: () => 1 },
  }
}

const ranges = () => server.asked.map(({ headers }) => headers.range)
const draft = () => path.join(folder, '.out.mp4.v_12345678-video.part')

describe('saveFile', () => {
  it('goes on where a connection broke off, with a new link', async () => {
    server = await AnsweringServer.start((asked, response) => serve(asked, response, 4))
    const links: string[] = []
    expect(await saveFile(download(links), target, false)).toBe(10)
    expect(await readFile(target)).toEqual(content)
    expect(ranges()).toEqual([undefined, 'bytes=4-', 'bytes=8-'])
    expect(links).toHaveLength(3)
    expect(await readdir(folder)).toEqual(['out.mp4'])
  })

  it('goes on with what an earlier run has left, also if that was everything', async () => {
    server = await AnsweringServer.start((asked, response) => serve(asked, response))
    await writeFile(draft(), content.subarray(0, 6))
    await saveFile(download(), target, false)
    expect(await readFile(target)).toEqual(content)
    await writeFile(draft(), content)
    await saveFile(download(), target, true)
    expect(await readFile(target)).toEqual(content)
    expect(ranges()).toEqual(['bytes=6-', 'bytes=10-'])
  })

  it('leaves no file of the right name behind when it fails', async () => {
    server = await AnsweringServer.start((_, response) => response.writeHead(500).end())
    await expect(saveFile(download(), target, false)).rejects.toThrow('answered with 500')
    expect(server.asked).toHaveLength(5)
    expect(await readdir(folder)).toEqual([])
  })

  it('does not replace a file that has appeared meanwhile, unless it may', async () => {
    server = await AnsweringServer.start((asked, response) => serve(asked, response))
    await writeFile(target, 'mine')
    await expect(saveFile(download(), target, false)).rejects.toThrow('exists already')
    expect(await readFile(target, 'utf8')).toBe('mine')
    await saveFile(download(), target, true)
    expect(await readFile(target)).toEqual(content)
  })

  it('stops at once', async () => {
    server = await AnsweringServer.start(() => undefined)
    const stop = new AbortController()
    const saving = saveFile({ ...download(), signal: stop.signal }, target, false)
    const reason = new Error('stopped')
    stop.abort(reason)
    await expect(saving).rejects.toBe(reason)
  })
})
