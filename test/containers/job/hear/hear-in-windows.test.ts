import { copyFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { windowHearing } from '../../../../containers/job/hear/hear-in-windows.ts'
import type { JobContext } from '../../../../containers/job/job-context.ts'
import { hearPart } from '../../../../containers/job/part/work-part.ts'
import type { HearTask, PartCarrier } from '../../../../containers/parts/part-carrier.ts'
import { createLocalSpeech } from '../../../../containers/speech/local-speech.ts'
import { SpeechThread } from '../../../../containers/speech/local/speech-thread-client.ts'
import type { ToHear } from '../../../../containers/speech/share-hearing.ts'
import type { SpeechAudio } from '../../../../containers/speech/speech-provider.ts'
import { hearSpec } from '../../../../worker/contract/job/hear-spec.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { campaign } from '../../../support/node/campaign.ts'
import { keptWindows } from '../../../support/containers/kept-texts.ts'

const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 300_000 })
const speech = createLocalSpeech(thread, { timeoutSeconds: 300 })
afterAll(async () => thread.close())

const sentences = [
  'Most visitors spend an hour in the garden every week.',
  'You can borrow my bicycle if you bring it back.',
  'The train to the north is late again this morning.',
]

async function spoken(texts = sentences): Promise<SpeechAudio> {
  const said = texts.flatMap((text) => ['-f', 'lavfi', '-i', `flite=text='${text}':voice=slt`])
  const padded = texts.map((_, i) => `[${i}]aresample=16000,apad=pad_dur=1.5[${i}p]`)
  const graph = `${padded.join(';')};${texts.map((_, i) => `[${i}p]`).join('')}concat=n=${texts.length}:v=0:a=1`
  const coding = ['-ac', '1', '-c:a', 'pcm_f32le', '-f', 'f32le']
  const file = await makeFile('f32', [...said, '-filter_complex', graph, ...coding])
  return { path: file, format: 'f32le', durationSeconds: texts.length * 4.5 }
}

/** Other media workers, which get no file but the excerpt that belongs to their part. */
function hearing(folder: string, spoil: (task: HearTask, tries: number) => HearTask['spec']) {
  const heard: HearTask[] = []
  const hear: PartCarrier['hear'] = async (task, signal) => {
    heard.push(task)
    const there = await aToolContext({ signal })
    const spec = hearSpec.parse(spoil(task, heard.filter(({ n }) => n === task.n).length))
    const [{ name }] = spec.files
    await copyFile(path.join(folder, name), path.join(there.folder, name))
    const made = await hearPart(there, spec, async (...asked) => thread.hear(...asked))
    const file = `part-${task.n}-1`
    await copyFile(path.join(there.folder, made.file), path.join(folder, file))
    return { n: task.n, ...made, file }
  }
  return { heard, carrier: { hear, run: async () => Promise.resolve(undefined) } }
}

/** What one media worker hears by itself, heard once for all tests. */
let heardWhole: ReturnType<typeof speech.transcribe> | undefined
const whole = async () =>
  (heardWhole ??= spoken().then(async (audio) => speech.transcribe(audio, await aToolContext())))

type Others = { others: number; hear: PartCarrier['hear'] }

async function hearShared(
  spoil: (task: HearTask, tries: number) => HearTask['spec'],
  { others = 2, hear }: Partial<Others> = {},
) {
  const tools = await aToolContext()
  const audio = await spoken()
  const { heard, carrier: two } = hearing(tools.folder, spoil)
  const idle = async () => Promise.resolve({ idle: others, beside: 0 })
  const carrier = { ...two, idle, ...(hear && { hear }) }
  const logged: string[] = []
  const log = (_level: string, message: string) => logged.push(message)
  const job = { options: { split: true } }
  const context = { tools, carrier, job, log } as unknown as JobContext
  const lengths = { least: 1, most: 1 }
  const share = await windowHearing(context, audio.durationSeconds, { lengths })
  const said = await speech.transcribe(audio, tools, { share })
  expect(await readdir(tools.folder)).toEqual([])
  return { said, heard, logged, whole: await whole() }
}

it('writes down the very same words and times by ranges, also where one is lost on its way', async () => {
  const { said, heard, logged, whole } = await hearShared(({ n, spec }, tries) => {
    if (n === 2 && tries === 1) throw new Error('This media worker died')
    return spec
  })
  expect(said).toEqual(whole)
  expect(said.segments).toHaveLength(sentences.length)
  expect(said.segments[0]?.text).toBe(sentences[0])
  expect(heard.length).toBeGreaterThan(1)
  // An excerpt begins with the first of its pieces, the sound long before that.
  expect(heard.every(({ n, spec }) => n === 0 || spec.from > 16_000)).toBe(true)
  expect(logged.filter((line) => line !== 'A part of a sound was not heard')).toEqual([])
})

it('hears a range itself that another media worker does not come back with', async () => {
  let stopped = 0
  const { said, whole } = await hearShared(({ spec }) => spec, {
    others: 1,
    hear: async (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped++
          reject(new Error('It was stopped'))
        })
      }),
  })
  expect(said).toEqual(whole)
  expect(stopped).toBe(1)
})

it('hears all of it here where the others have another speech model', async () => {
  const other = 'f'.repeat(64)
  const { said, logged, whole } = await hearShared(({ spec }) => ({ ...spec, model: other }))
  expect(said).toEqual(whole)
  expect(logged).toContain('A part of a sound was not heard')
})

it('asks nobody for a short sound, for a film that is not to be split, or beside the rendering', async () => {
  let asked = 0
  const contextOf = (split: boolean) =>
    ({
      job: { options: { split } },
      carrier: {
        idle: async () => Promise.resolve({ idle: ++asked, beside: 0 }),
        hear: async () => Promise.resolve(undefined),
      },
    }) as unknown as JobContext
  expect(await windowHearing(contextOf(true), 119)).toBeUndefined()
  expect(await windowHearing(contextOf(false), 600)).toBeDefined()
  expect(await windowHearing(contextOf(true), 600, { alone: true })).toBeDefined()
  expect(asked).toBe(0)
  expect(await windowHearing(contextOf(true), 600)).toBeDefined()
  expect(asked).toBe(1)
})

describe('an attempt that follows on one that was killed', () => {
  const windows = 6
  /** A piece of speech in each second of a sound, and a window for each. */
  const pieces = Array.from({ length: windows }, (_, i) => ({
    start: i * 16_000 + 1_000,
    end: i * 16_000 + 15_000,
  }))

  async function aSound(loudness: number): Promise<ToHear> {
    const { folder } = await aToolContext()
    const soundPath = path.join(folder, 'speech.f32')
    await writeFile(soundPath, new Float32Array(windows * 16_000).fill(loudness))
    const model = 'a'.repeat(64)
    return { soundPath, length: windows * 16_000, pieces, model, language: 'en', names: [] }
  }

  /** Hears the sound until it is killed, and tells what was heard, in order. */
  async function attempt(toHear: ToHear, texts: Map<string, string>, killedAt = Infinity) {
    const tools = await aToolContext()
    const kept = keptWindows(texts)
    const context = { tools, kept, job: { options: {} }, log: () => undefined }
    const lengths = { least: 0.8, most: 0.8 }
    const hear = await windowHearing(context as unknown as JobContext, 6, { lengths })
    const heard: number[] = []
    const shares: number[][] = []
    const written = hear?.(
      toHear,
      async (some) => {
        if (heard.length === killedAt) throw new Error('Killed')
        heard.push(...some.map(({ start }) => start))
        return Promise.resolve(some.map((piece) => ({ ...piece, heard: [] })))
      },
      (...told) => shares.push(told),
    )
    return { heard, shares, written: await written?.catch(() => undefined) }
  }

  it.each([0, 1, 3, windows - 1])(
    'hears no window again of the %i that are kept',
    async (killedAt) => {
      const texts = new Map<string, string>()
      const sound = await aSound(0.5)
      const first = await attempt(sound, texts, killedAt)
      expect(first.written).toBeUndefined()
      const second = await attempt(await aSound(0.5), texts)
      expect([...first.heard, ...second.heard]).toEqual(pieces.map(({ start }) => start))
      expect(second.written?.map(({ start, end }) => ({ start, end }))).toEqual(pieces)
      // Windows that were kept take no time, so this attempt does not count them as its work, but as heard from its start.
      const left = windows - killedAt
      expect(second.shares).toEqual(
        Array.from({ length: left + 1 }, (_, i) => [i / left, (killedAt + i) / windows]),
      )
    },
  )

  it('takes nothing for another sound, from another model, or with other names to know', async () => {
    const texts = new Map<string, string>()
    const sound = await aSound(0.5)
    await attempt(sound, texts)
    expect((await attempt(await aSound(0.25), texts)).heard).toHaveLength(windows)
    const model = 'b'.repeat(64)
    expect((await attempt({ ...sound, model }, texts)).heard).toHaveLength(windows)
    const named = { ...sound, names: ['Spool'] }
    expect((await attempt(named, texts)).heard).toHaveLength(windows)
    expect((await attempt(sound, texts)).heard).toEqual([])
  })
})

campaign(
  'looks a sound through once and hears every window of a minute once, however often it is killed, and writes the very same words and times',
  async () => {
    const audio = await spoken(Array.from({ length: 5 }, () => sentences).flat())
    const whole = await speech.transcribe(audio, await aToolContext())
    const texts = new Map<string, string>()
    let done = 0
    const counted =
      <Asked extends unknown[], Answer>(ask: (...asked: Asked) => Promise<Answer>) =>
      async (...asked: Asked): Promise<Answer> => {
        done++
        return ask(...asked)
      }
    const counting = {
      transcribe: thread.transcribe.bind(thread),
      prepare: thread.prepare.bind(thread),
      activity: counted(thread.activity),
      blocks: thread.blocks.bind(thread),
      spoken: counted(thread.spoken),
      divide: thread.divide.bind(thread),
      conclude: thread.conclude.bind(thread),
      hear: counted(thread.hear),
    }
    const countingSpeech = createLocalSpeech(counting, { timeoutSeconds: 300 })
    /** Is killed when it has kept one window more than the attempt before it. */
    const attempt = async () => {
      const tools = await aToolContext()
      const kept = keptWindows(texts, texts.size + 1)
      const context = { tools, kept, job: { options: {} }, log: () => undefined }
      const lengths = { least: 10, most: 10 }
      const share = await windowHearing(context as unknown as JobContext, 60, { lengths })
      return countingSpeech.transcribe(audio, tools, { share, kept }).catch(() => undefined)
    }
    let [said, attempts] = [await attempt(), 1]
    for (; !said; attempts++) said = await attempt()
    expect(said).toEqual(whole)
    expect(attempts).toBeGreaterThan(2)
    // Each attempt but the last looked through or heard one range that it could not keep.
    expect(done).toBe(texts.size + attempts - 1)
  },
)
