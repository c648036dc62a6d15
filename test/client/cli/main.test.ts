import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../../client/src/cli/main.ts'
import { AnsweringServer, answerJson } from '../support/answering-server.ts'
import { standInTerminal } from './support/stand-in-terminal.ts'
import { directoryForAll } from '../../support/node/directories.ts'

/** As MP4 files begin. */
const beginning = '\0\0\0\u0018ftypisom'

const folder = directoryForAll()

type Handler = Parameters<typeof AnsweringServer.start>[0]

async function run(
  words: string[],
  handle: Handler,
  wishes: { input?: string; columns?: number } = {},
) {
  const server = await AnsweringServer.start(handle)
  const env = {
    SPOOL_API_KEY: 'spool_test',
    SPOOL_BASE_URL: server.origin,
    XDG_CONFIG_HOME: folder,
  }
  const { surroundings, stdout, stderr } = standInTerminal({ env, ...wishes })
  const exitCode = await main(words, surroundings)
  return { exitCode, out: stdout.text, err: stderr.text, asked: server.asked }
}

const refuse =
  (status: number, error: string, details?: object[]): Handler =>
  (_, response) =>
    answerJson(response, status, { error, message: `${error}.`, details }, { 'Retry-After': '600' })

const noAnswer: Handler = () => {
  throw new Error('nothing must be asked')
}

describe('main', () => {
  it('keeps results and messages apart', async () => {
    const { exitCode, out, err } = await run(['list'], (_, response) =>
      answerJson(response, 200, { data: [], nextCursor: null }),
    )
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: '' })
    expect(err).toBe('There are no videos yet. `spool run FILE` makes one.\n')
  })

  it('writes JSON in one line for a pipe', async () => {
    const video = { videoId: 'v_12345678', status: 'queued' }
    const { out } = await run(['status', 'v_12345678', '--json'], (_, response) =>
      answerJson(response, 200, video),
    )
    expect(out).toBe(`${JSON.stringify(video)}\n`)
  })

  it.each([
    [401, 'Unauthorized', 3],
    [403, 'Forbidden', 3],
    [404, 'NotFound', 4],
    [400, 'ValidationError', 5],
    [409, 'Conflict', 5],
    [429, 'RateLimitExceeded', 9],
    [503, 'ServiceUnavailable', 8],
  ])('tells a %i apart by its exit code', async (status, error, expected) => {
    const { exitCode, err } = await run(['status', 'v_12345678'], refuse(status, error))
    expect(exitCode).toBe(expected)
    expect(err).toContain(`error: ${error}.`)
  })

  it('tells a mistake in the command line before it asks anybody', async () => {
    const words = ['run', 'https://example.com/a.mp4', '--compression-quality', '0']
    const { exitCode, err, asked } = await run(words, noAnswer)
    expect(exitCode).toBe(2)
    expect(err).toBe('error: --compression-quality must be from 1 to 100, not 0.\n')
    expect(asked).toEqual([])
  })

  it('names the flags that the service has refused, and writes them as JSON too', async () => {
    const words = ['run', 'https://example.com/a.mp4', '-d', '--elements', 'type=image']
    const details = [{ field: 'elements[0].url', message: 'Required' }]
    const plain = await run(words, refuse(400, 'ValidationError', details))
    expect(plain.err).toContain('  --elements (1st) url  Required\n')
    const json = await run([...words, '--json'], refuse(400, 'ValidationError', details))
    expect(JSON.parse(json.err)).toMatchObject({
      error: 'ValidationError',
      status: 400,
      faults: [{ path: 'elements[0].url', flag: '--elements (1st) url', message: 'Required' }],
      exitCode: 5,
    })
  })

  it('sends flags, a file of options and --set as one request, each over the one before', async () => {
    const options = path.join(folder, 'options.json')
    await writeFile(options, '{ "rotate": 90, "outputFormat": "webm", "removeNoise": true }')
    const flags = ['--options', options, '--output-format', 'mov', '--no-remove-noise']
    const set = ['--set', 'elements[0].zIndex=2', '--set', 'mirror=true', '--set', 'videoName=a b']
    const { out, asked } = await run(
      ['run', 'https://example.com/a.mp4', '-d', ...flags, ...set],
      (_, response) => answerJson(response, 202, { videoId: 'v_12345678' }),
    )
    expect(out).toBe('v_12345678\n')
    expect(JSON.parse(String(asked[0]?.body))).toEqual({
      fileUrl: 'https://example.com/a.mp4',
      rotate: 90,
      outputFormat: 'mov',
      removeNoise: false,
      elements: [{ zIndex: 2 }],
      mirror: true,
      videoName: 'a b',
    })
  })

  it('takes the id of a video in place of a file, for its source, and joins it with nothing', async () => {
    const { asked } = await run(['run', 'v_8fJ2kQpX', '-d'], (_, response) =>
      answerJson(response, 202, { videoId: 'v_12345678' }),
    )
    expect(JSON.parse(String(asked[0]?.body))).toEqual({ sourceVideoId: 'v_8fJ2kQpX' })
    const joined = await run(['run', 'v_8fJ2kQpX', 'https://example.com/a.mp4'], noAnswer)
    expect(joined).toMatchObject({ exitCode: 2, asked: [] })
    expect(joined.err).toContain('The source of an earlier video cannot be joined with others.')
  })

  it('sends the files that elements name, each once, and gives their uploads as addresses', async () => {
    const logo = path.join(folder, 'logo.png')
    await writeFile(logo, 'a picture')
    const ofUpload = { uploadId: 'u_logo', partSize: 9, parts: [] }
    const handle: Handler = ({ url }, response) => {
      if (url === '/v1/uploads') return answerJson(response, 201, ofUpload)
      if (url?.endsWith('/complete')) return answerJson(response, 200, { uploadId: 'u_logo' })
      return answerJson(response, 202, { videoId: 'v_12345678' })
    }
    const image = `type=image,url=${logo}`
    const words = [
      'run',
      'https://example.com/a.mp4',
      '-d',
      '--elements',
      image,
      '--elements',
      image,
    ]
    const { asked } = await run(words, handle)
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      // The options are tried before anything is sent.
      'POST /v1/videos',
      'POST /v1/uploads',
      'POST /v1/uploads/u_logo/complete',
      'POST /v1/videos',
    ])
    const urls = asked.map(({ body }) => {
      const { elements = [] } = JSON.parse(String(body) || '{}') as { elements?: { url: string }[] }
      return elements.map(({ url }) => url)
    })
    expect(urls[0]).toEqual(['https://example.com/file', 'https://example.com/file'])
    expect(urls[3]).toEqual(['upload://u_logo', 'upload://u_logo'])
    const none = await run([...words.slice(0, 3), '--elements', 'type=image,url=no.png'], noAnswer)
    expect(none).toMatchObject({ exitCode: 10, asked: [] })
  })

  it('names the address of a webhook test as its help does', async () => {
    const details = [{ field: 'webhookUrl', message: 'Must not lead to a private address' }]
    const { err } = await run(
      ['webhooks', 'test', 'http://10.0.0.7/hooks'],
      refuse(400, 'ValidationError', details),
    )
    expect(err).toContain('  URL  Must not lead to a private address\n')
    expect(err).not.toContain('--webhook-url')
  })

  it('tells an address without a service from a video that there is not, and sends it no file', async () => {
    const other: Handler = (_, response) => response.writeHead(404).end('<h1>Not Found</h1>')
    const wrong = await run(['status', 'v_12345678'], other)
    expect(wrong.exitCode).toBe(8)
    expect(wrong.err).toContain('error: There is no Spool service at http://127.0.0.1:')
    expect(wrong.err).toContain('--base-url')
    const none = await run(['status', 'v_12345678'], refuse(404, 'NotFound'))
    expect(none.exitCode).toBe(4)
    expect(none.err).not.toContain('service at')
    const file = path.join(folder, 'clip.mp4')
    await writeFile(file, beginning)
    const { exitCode, asked } = await run(['run', file], other)
    expect({ exitCode, sent: asked.length }).toEqual({ exitCode: 8, sent: 1 })
  })

  it('says what would be done, and sends no file', async () => {
    const file = path.join(folder, 'clip.mp4')
    await writeFile(file, beginning)
    const steps = ['take the uploaded file', 'save it as MP4 at quality 100']
    const { out, err, asked } = await run(
      ['run', file, '--dry-run', '--remove-silence'],
      (_, response) => answerJson(response, 200, { steps, request: {} }),
    )
    expect(out).toBe('1. take the uploaded file\n2. save it as MP4 at quality 100\n')
    expect(err).toContain('Nothing was sent or made.')
    expect(asked.map(({ url, body }) => [url, JSON.parse(String(body)) as unknown])).toEqual([
      ['/v1/videos/plan', { removeSilence: true, uploadId: 'u_0' }],
    ])
  })

  it('says what would come of it, and makes nothing', async () => {
    const url = 'https://example.com/a.mp4'
    const plan = { steps: ['fetch a.mp4'], summary: ['MP4, 4 s', 'Begins at once'] }
    const { out, err, asked } = await run(['run', url, '--plan', '--rotate', '90'], (_, response) =>
      answerJson(response, 200, plan),
    )
    expect(out).toBe('1. fetch a.mp4\nMP4, 4 s\nBegins at once\n')
    expect(err).toContain('Nothing was made.')
    expect(asked.map(({ url, body }) => [url, JSON.parse(String(body)) as unknown])).toEqual([
      ['/v1/plans', { rotate: 90, fileUrl: url }],
    ])
  })

  it('does not send a file when the options are refused', async () => {
    const file = path.join(folder, 'clip.mp4')
    await writeFile(file, beginning)
    const details = [{ field: 'preset', message: 'There is no preset nope' }]
    const { exitCode, asked } = await run(
      ['run', file, '--preset', 'nope'],
      refuse(400, 'ValidationError', details),
    )
    expect(exitCode).toBe(5)
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /v1/videos'])
  })

  it('refuses files and places that cannot be, before anything is sent', async () => {
    const there = path.join(folder, 'there.mp4')
    await writeFile(there, 'mine')
    const url = 'https://example.com/a.mp4'
    expect(await run(['run', 'nothing.mp4'], noAnswer)).toMatchObject({ exitCode: 10 })
    const notes = await run(['run', there], noAnswer)
    expect(notes.err).toContain('there.mp4 is not a video that the service takes:')
    expect(notes).toMatchObject({ exitCode: 10, asked: [] })
    const taken = await run(['run', url, '-o', there], noAnswer)
    expect(taken.err).toContain('there.mp4 exists already.')
    const twice = await run(['run', url, '--upload-id', 'u_1'], noAnswer)
    expect(twice).toMatchObject({ exitCode: 2, asked: [] })
    expect(await readFile(there, 'utf8')).toBe('mine')
  })

  it('keeps a key that the service knows, and only such a key', async () => {
    const answer: Handler = ({ headers }, response) =>
      headers.authorization === 'Bearer spool_good'
        ? answerJson(response, 200, { data: [], nextCursor: null })
        : answerJson(response, 401, { error: 'Unauthorized', message: 'No.' })
    const bad = await run(['login'], answer, { input: 'spool_bad\n' })
    expect(bad).toMatchObject({ exitCode: 3 })
    const good = await run(['login', '--json'], answer, { input: 'spool_good\n' })
    const { file } = JSON.parse(good.out) as { file: string }
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      profiles: { default: { apiKey: 'spool_good' } },
    })
    expect(`${good.out}${good.err}`).not.toContain('spool_good')
  })
})

describe('spool batch', () => {
  const accepted = { batchId: 'b_1', videoIds: ['v_1', 'v_2'] }

  it('makes an item of each row of a table: fields by their names, and values of everything else', async () => {
    const file = path.join(folder, 'clips.csv')
    const rows = [
      'fileUrl;title;compressionQuality;metadata.row',
      'https://example.com/a.mp4;"Trail; ""Alto""\n2";80;007',
      '',
      'https://example.com/b.mp4;;;8',
    ]
    await writeFile(file, `\uFEFF${rows.join('\r\n')}\r\n`)
    const words = ['batch', file, '--preset', 'mine', '--detach']
    const { exitCode, out, asked } = await run(words, (_, response) =>
      answerJson(response, 202, accepted),
    )
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'b_1\n' })
    expect(asked).toHaveLength(1)
    expect(JSON.parse(String(asked[0]?.body))).toEqual({
      preset: 'mine',
      items: [
        {
          fileUrl: 'https://example.com/a.mp4',
          values: { title: 'Trail; "Alto"\n2' },
          compressionQuality: 80,
          metadata: { row: '007' },
        },
        { fileUrl: 'https://example.com/b.mp4', metadata: { row: '8' } },
      ],
    })
  })

  it('waits for its end, and fails if a video has', async () => {
    const file = path.join(folder, 'items.json')
    await writeFile(file, '[{"fileUrl":"https://example.com/a.mp4"}]')
    const counts = { queued: 0, running: 0, succeeded: 0, failed: 1, canceled: 0, deleted: 0 }
    const answer: Handler = ({ method }, response) =>
      method === 'POST'
        ? answerJson(response, 202, accepted)
        : answerJson(response, 200, {
            batchId: 'b_1',
            status: 'ended',
            total: 1,
            counts,
            videos: [],
          })
    const { exitCode, err } = await run(['batch', file], answer)
    expect(exitCode).toBe(6)
    expect(err).toContain('1 video: 1 failed\n  spool batches show b_1')
    expect((await run(['batch', file, '--quiet'], answer)).err).toMatch(/1 video: 1 failed\n$/)
  })

  it.each([
    ['a row that is longer than its headings', 'fileUrl\na,b', 'row 2 has 2 cells'],
    ['a quotation that never ends', 'fileUrl\n"a', 'never closed'],
    ['a column without a heading', 'fileUrl,\na,b', 'no heading'],
  ])('refuses %s before anything is sent', async (_, text, message) => {
    const file = path.join(folder, 'bad.csv')
    await writeFile(file, text)
    const { exitCode, err } = await run(['batch', file], noAnswer)
    expect(exitCode).toBe(2)
    expect(err).toContain(message)
  })
})

it('gives values of a preset with --value, as text', async () => {
  const words = ['run', 'https://example.com/a.mp4', '--preset', 'mine', '--detach']
  const { asked } = await run(
    [...words, '--value', 'title=A, b=c', '--value', 'n=4'],
    (_, response) => answerJson(response, 202, { videoId: 'v_12345678' }),
  )
  expect(JSON.parse(String(asked[0]?.body))).toMatchObject({ values: { title: 'A, b=c', n: '4' } })
})
