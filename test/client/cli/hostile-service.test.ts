import { mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../../client/src/cli/main.ts'
import { AnsweringServer, answerJson, type Asked } from '../support/answering-server.ts'
import { standInTerminal } from './support/stand-in-terminal.ts'
import { directoryForEach } from '../../support/node/directories.ts'

/** Leads to other folders, clears the screen, names the window, turns the direction of the text, and paints. */
const attack =
  '/../../../evil\u001b[2J\u001b]0;owned\u0007\u009b31m\u0000\u007f\u202egpj.\u2066x\u2028\r\u001b[31mred\nforged line'
const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/
const ownColours = /\u001b\[(?:0|1|2|31|32|33|36)m/g

const file = new TextEncoder().encode('the film')
const time = '2026-01-01T00:00:00.000Z'

/** A record that says the attack wherever it may say something. */
function hostileVideo(origin: string) {
  const link = `${origin}/file`
  return {
    ...{ videoId: attack, jobId: attack, videoName: attack, status: 'succeeded', phase: attack },
    ...{ progressPercent: 100, createdAt: time, outputFormat: attack, reason: attack },
    ...{ errorMessage: attack, warnings: [attack], finalVideoUrl: link, thumbnailUrl: link },
    videoMetadata: { duration: 1, sizeInBytes: file.length, width: 1, height: 1 },
    transcript: { status: 'completed', language: attack, text: attack },
    suggestions: [{ why: attack, startTime: attack, endTime: 1, text: attack }],
  }
}

function hostileAnswer({ url, method }: Asked, origin: string): { status: number; body: unknown } {
  const others = {
    ...{ name: attack, description: attack, fields: { videoName: attack }, options: {} },
    ...{ keyId: attack, hint: attack, scopes: [attack], apiKey: attack, secret: attack },
    ...{ deliveryId: attack, eventId: attack, url: attack, type: attack, attempts: [] },
    ...{ createdAt: time, updatedAt: time, lastUsedAt: null, revokedAt: null, expiresAt: null },
  }
  const one = { ...others, ...hostileVideo(origin) }
  const isList = method === 'GET' && /^\/v1\/(videos|keys|presets|webhooks)(\/\w+)?(\?|$)/.test(url)
  const isVideo = url.includes('evil')
  return { status: 200, body: isList && !isVideo ? { data: [one], nextCursor: null } : one }
}

describe('a service that cannot be trusted', () => {
  const place = directoryForEach()
  const folder = path.join(place, 'a')
  beforeEach(async () => mkdir(folder))

  async function run(
    words: string[],
    { columns, fails = false }: { columns?: number; fails?: boolean } = {},
  ) {
    const server = await AnsweringServer.start((asked, response) => {
      if (asked.url === '/file') return void response.end(file)
      if (/transcript\?format=/.test(asked.url)) return void response.end(attack)
      const refusal = {
        error: attack,
        message: attack,
        details: [{ field: attack, message: attack }],
      }
      if (fails) return answerJson(response, 400, refusal)
      if (asked.url.endsWith('/events')) {
        response.setHeader('Content-Type', 'text/event-stream')
        return void response.end(`data: ${JSON.stringify(hostileVideo(server.origin))}\n\n`)
      }
      const { status, body } = hostileAnswer(asked, server.origin)
      answerJson(response, status, body)
    })
    const env = {
      ...{ SPOOL_API_KEY: 'spool_test', SPOOL_BASE_URL: server.origin },
      ...{ XDG_CONFIG_HOME: path.join(place, 'config'), LANG: 'C.UTF-8' },
    }
    const { surroundings, stdout, stderr } = standInTerminal(
      columns === undefined ? { env } : { env, columns },
    )
    const exitCode = await main(words, surroundings)
    return { exitCode, out: stdout.text, err: stderr.text, asked: server.asked.length }
  }

  const commands: [string, string[]][] = [
    ['status', ['status', 'v_evil']],
    ['list', ['list']],
    ['presets list', ['presets', 'list']],
    ['presets show', ['presets', 'show', 'evil']],
    ['keys list', ['keys', 'list']],
    ['keys create', ['keys', 'create', '--name', 'a', '--scope', 'videos:read']],
    ['cancel', ['cancel', 'v_evil']],
    ['delete', ['delete', 'v_evil', '--yes']],
    ['watch', ['watch', 'v_evil']],
    ['transcript', ['transcript', 'v_evil']],
    ['webhooks deliveries', ['webhooks', 'deliveries']],
    ['run', ['run', 'https://example.com/a.mp4', '-d']],
  ]

  it.each(commands)('moves no cursor and paints nothing: %s', async (_, words) => {
    for (const fails of [false, true]) {
      const { exitCode, out, err } = await run(words, { columns: 80, fails })
      const said = `${out}${err}`
        .replaceAll(ownColours, '')
        // What a progress line needs to be drawn again in its place.
        .replaceAll(/\r?\u001b\[(?:2K|J|\?25[lh])/g, '')
      expect(said).not.toMatch(dangerous)
      expect(exitCode, said).not.toBe(1)
      expect(said).toContain('evil')
      expect(`${out}${err}`).not.toContain('\u001b[31mred')
      // The words of a transcript may stand on several lines; nothing else that a service says begins a line.
      if (words[0] !== 'transcript') expect(said).not.toMatch(/^forged/m)
    }
    await run(words)
  })

  it('says the same in JSON, with the attack as escapes', async () => {
    const { out } = await run(['status', 'v_evil', '--json'], { columns: 80 })
    expect(out).not.toMatch(dangerous)
    expect((JSON.parse(out) as { videoName: string }).videoName).toBe(attack)
  })

  it('leaves the bytes of captions in a pipe what they are', async () => {
    const { out } = await run(['transcript', 'v_evil', '--srt'])
    expect(out).toBe(`${attack}\n`)
  })

  it('writes into the folder that was named, under names of known kinds', async () => {
    const { exitCode, err } = await run(['download', 'v_evil', '-o', folder])
    expect(exitCode, err).toBe(0)
    const names = await readdir(folder)
    expect(names).toHaveLength(3)
    for (const name of names) {
      expect(name).not.toMatch(dangerous)
      expect(name).not.toMatch(/^\./)
      expect(['.video', '.jpg', '.srt']).toContain(path.extname(name))
    }
    expect((await readdir(place)).filter((name) => name !== path.basename(folder))).toEqual([])
    const video = names.find((name) => name.endsWith('.video')) ?? ''
    expect(new Uint8Array(await readFile(path.join(folder, video)))).toEqual(file)
  })
})
