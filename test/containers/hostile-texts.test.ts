import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { pathOfFont } from '../../containers/text/built-in-fonts.ts'
import { flatPng } from '../support/node/bombs/flat-png.ts'
import { hostileFont, type Lookups } from '../support/node/bombs/hostile-font.ts'
import { movBombs } from '../support/node/bombs/mov-bombs.ts'
import { eventually } from '../support/node/eventually.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { aJob, aJobId } from '../support/containers/a-job.ts'
import { aReceiver, aServiceForAll } from '../support/containers/service-for-all.ts'
import { campaign } from '../support/node/campaign.ts'

const service = aServiceForAll({ MEDIA_SLOTS: '2' })
let video: string
let honestFont: Buffer

beforeAll(async () => {
  video = service.sources.file(await makeVideo({ seconds: 1 }))
  honestFont = await readFile((await pathOfFont('NotoSans-Regular.ttf')) ?? '')
})

let files = 0

function served(bytes: string | Buffer): string {
  return service.sources.route(`/hostile${++files}`, (_request, response) => {
    response.writeHead(200, { 'Content-Length': Buffer.byteLength(bytes) }).end(bytes)
  })
}

/** A font named by a job is fetched beside its video. */
async function begin(options: Record<string, unknown>, inputs = [video]) {
  const receiver = await aReceiver()
  const { reportsUrl } = receiver
  const jobId = aJobId()
  const job = {
    ...aJob({ inputs, reportsUrl, options, jobId, account: jobId }),
    ...besideOf(options),
  }
  expect((await service.worker.post('/jobs', job)).status).toBe(202)
  return { receiver, jobId, end: async () => receiver.end() }
}

type Named = {
  elements?: { url?: string; font?: string }[]
  captions?: { font?: string; source?: { url?: string } }
}

function besideOf({ elements = [], captions = {} }: Named) {
  const origin = 'customer' as const
  const fields = [
    ...elements.map(({ font }, i) => [`elements[${i}].font`, font] as const),
    ['captions.font', captions.font],
    ['captions.source.url', captions.source?.url],
  ] as const
  return {
    elementSources: elements.map((element) => ({ url: element.url ?? '', origin })),
    beside: fields.flatMap(([field, url]) => (url === undefined ? [] : [{ field, url, origin }])),
  }
}

/** As many rules as a font within our limits can have: each letter takes half a second. */
const slowFont: Lookups = { lookups: 1, subtables: 5_000, rules: 1_000, bytes: 2_000_000 }

const inFont = (lookups: Lookups) => ({
  elements: [
    { type: 'text', text: 'a'.repeat(1_000), font: served(hostileFont(honestFont, lookups)) },
  ],
})

const cueFile = (text: string): string => `1\n00:00:00,000 --> 00:00:01,000\n${text}\n`

/** The longest time that `/health` took while the work went on. */
async function slowestHealthMs(work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => (isOver = true)).catch(() => undefined)
  let slowest = 0
  while (!isOver) {
    const startedAt = performance.now()
    expect((await fetch(`${service.worker.origin}/health`)).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - startedAt)
  }
  return slowest
}

/** The resident memory of the media worker and of everything that it has started. */
async function residentBytes(): Promise<number> {
  const all = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
        const of = (name: string) =>
          Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
        return { pid: Number(pid), parent: of('PPid'), bytes: of('VmRSS') * 1024 }
      }),
  )
  const isOurs = (pid: number): boolean => {
    if (pid === service.worker.pid) return true
    const parent = all.find((one) => one.pid === pid)?.parent ?? 0
    return parent > 1 && isOurs(parent)
  }
  return all.filter(({ pid }) => isOurs(pid)).reduce((sum, { bytes }) => sum + bytes, 0)
}

describe('a font whose lookups take for ever', () => {
  it('leaves the media worker free for others, and ends at once when its job is canceled', async () => {
    expect((await (await begin({})).end()).type).toBe('succeeded')
    const before = await residentBytes()
    const hostile = await begin(inFont(slowFont))
    await hostile.receiver.when((said) => said.type === 'progress' && said.phase === 'measuring')
    const other = await begin({})
    const seen = other.receiver.when((said) => said.type === 'progress')
    expect(await slowestHealthMs(seen)).toBeLessThan(1_000)
    const canceledAt = performance.now()
    const answer = await service.worker.post('/jobs/cancel', { jobId: hostile.jobId, fence: 1 })
    expect(performance.now() - canceledAt).toBeLessThan(2_000)
    expect(await answer.json()).toMatchObject({ canceled: true })
    expect((await other.end()).type).toBe('succeeded')
    await eventually(async () => {
      expect((await residentBytes()) - before).toBeLessThan(100 * 1024 ** 2)
    })
  })

  campaign('is refused by its field as soon as its first letters have told', async () => {
    const hostile = await begin(inFont(slowFont))
    const ended = hostile.end()
    expect(await slowestHealthMs(ended)).toBeLessThan(1_000)
    expect(await ended).toMatchObject({
      type: 'failed',
      reason: 'element_unusable',
      message: expect.stringMatching(
        /^elements\[0\]\.font: the font takes \d+ ms to set one letter/,
      ) as string,
    })
  })

  it('is refused when it sets its letters so slowly that every picture would wait for them', async () => {
    const slow = served(
      hostileFont(honestFont, { lookups: 1, subtables: 500, rules: 1_000, bytes: 2_000_000 }),
    )
    const captions = { burn: true, font: slow, source: { text: cueFile('aaaa '.repeat(100)) } }
    const { end } = await begin({ captions })
    expect(await end()).toMatchObject({
      type: 'failed',
      reason: 'element_unusable',
      message: expect.stringMatching(
        /^captions\.font: the font takes \d+ ms to set one letter; at most 2 ms are allowed\.$/,
      ) as string,
    })
  })

  it.each<[string, Lookups, string]>([
    [
      'lookups',
      { lookups: 20_000, subtables: 1, rules: 1, bytes: 0 },
      '20,000 lookups in its table GSUB; at most 3,000 are allowed',
    ],
    [
      'subtables',
      { lookups: 300, subtables: 1_000, rules: 1, bytes: 0 },
      '300,000 subtables of lookups in its table GSUB; at most 10,000 are allowed',
    ],
    [
      'rules',
      { lookups: 1, subtables: 5_000, rules: 20_000, bytes: 15_000_000 },
      '15,000,000 bytes in its table GSUB; at most 2,097,152 are allowed',
    ],
  ])('is refused with what it has too many of: %s', async (_what, lookups, says) => {
    const { end } = await begin(inFont(lookups))
    expect(await end()).toMatchObject({
      type: 'failed',
      reason: 'element_unusable',
      message: `elements[0].font: the font has ${says}.`,
    })
  })
})

describe('captions and files that no reader expects', () => {
  it.each<[string, string, string]>([
    [
      'a word of 300,000 letters',
      'a'.repeat(300_000),
      'captions.source.url: line 2: the cue has 300,000 characters; at most 2,000 are allowed',
    ],
    [
      'a letter of joiners',
      `a${'\u200D'.repeat(1_500)}`,
      'captions.source.url: line 2: one letter of the cue has 1,501 characters, its marks and joiners among them; at most 32 are allowed',
    ],
    [
      'a letter of marks',
      `a${'\u0301'.repeat(1_500)}`,
      'captions.source.url: line 2: one letter of the cue has 1,501 characters, its marks and joiners among them; at most 32 are allowed',
    ],
  ])('fail with the line: %s', async (_what, text, message) => {
    const { end } = await begin({ captions: { source: { url: served(cueFile(text)) } } })
    const ended = end()
    expect(await slowestHealthMs(ended)).toBeLessThan(1_000)
    expect(await ended).toMatchObject({ type: 'failed', reason: 'element_unusable', message })
  })

  it('fail with the field: a film whose tables are a bomb', async () => {
    const [bomb] = Object.values(movBombs(Buffer.alloc(100)))
    const { end } = await begin({}, [served(bomb?.bytes() ?? Buffer.alloc(0))])
    const ended = end()
    expect(await slowestHealthMs(ended)).toBeLessThan(1_000)
    expect(await ended).toMatchObject({ type: 'failed', reason: 'source_too_large' })
  })

  campaign('set two megabytes of many scripts in time', async () => {
    const words = ['word', 'слово', '言葉', 'كلمة', 'शब्द', 'คำ', '👩‍👩‍👧']
    const clock = (i: number) => {
      const two = (n: number) => String(n).padStart(2, '0')
      return `00:${two(Math.floor(i / 60) % 60)}:${two(i % 60)},000`
    }
    const cues = Array.from({ length: 3_500 }, (_, i) => {
      const text = Array.from({ length: 40 }, (__, j) => `${words[(i + j) % 7]}${i % 97}${j}`)
      return `${clock(i)} --> ${clock(i + 1)}\n${text.join(' ')}\n`
    })
    const { end } = await begin({ captions: { source: { url: served(cues.join('\n')) } } })
    const ended = end()
    expect(await slowestHealthMs(ended)).toBeLessThan(1_000)
    expect((await ended).type).toBe('succeeded')
  })
})

describe('a picture that is far larger than its file', () => {
  const placed = (width: number, height: number, many = 1) => {
    const url = served(flatPng(width, height))
    return {
      elements: Array.from({ length: many }, () => ({
        type: 'image',
        url,
        size: { width: '20%' },
      })),
    }
  }

  it('is refused with its field and size, and keeps nobody waiting', async () => {
    const { end } = await begin(placed(30_000, 30_000))
    const ended = end()
    expect(await slowestHealthMs(ended)).toBeLessThan(1_000)
    expect(await ended).toMatchObject({
      type: 'failed',
      reason: 'element_unusable',
      message:
        'elements[0].url: the picture is 30000 × 30000; at most 40000000 pixels are allowed.',
    })
  })

  campaign('ends at once when its job is canceled', async () => {
    const { receiver, jobId } = await begin(placed(8_000, 4_900, 4))
    await receiver.when((said) => said.type === 'progress' && said.phase !== 'fetching')
    const other = begin({}).then(async ({ end }) => end())
    const canceledAt = performance.now()
    const answer = await service.worker.post('/jobs/cancel', { jobId, fence: 1 })
    expect(performance.now() - canceledAt).toBeLessThan(2_000)
    expect(await answer.json()).toMatchObject({ canceled: true })
    expect((await other).type).toBe('succeeded')
  })
})
