import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { writeTranscript } from '../../../containers/insight/captions/write-subtitles.ts'
import { cutSpeakers } from '../../../containers/insight/edit/cut-speakers.ts'
import { spokenWords } from '../../../containers/insight/edit/spoken-words.ts'
import { nameSpeakers, speakersBy, whoSaid } from '../../../containers/insight/tell-speakers.ts'
import { blocksPerSecond } from '../../../containers/sound/level/block-meter.ts'
import { SpeechThread } from '../../../containers/speech/local/speech-thread-client.ts'
import type { Speech, SpeechSegment } from '../../../containers/timeline/speech.ts'
import { samplesOf } from '../../support/containers/sound/samples.ts'
import { aFolder, aToolContext } from '../../support/containers/tool-context.ts'
import { makeFile } from '../../support/node/fixtures.ts'
import { keptWindows } from '../../support/containers/kept-texts.ts'

const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 300_000 })
afterAll(() => thread.close())
const tell = speakersBy(async (...asked) => thread.voices(...asked))

const rate = 16_000
const sentences = [
  'The train to the coast leaves at a quarter past nine from platform four.',
  'She asked whether anybody had seen the small brown dog near the river.',
  'In the spring of nineteen sixty nine the bridge was closed for repairs.',
  'Please turn off the lights before you leave the office this evening.',
]

/** Each voice says each sentence, in turns; words have even times, as a recogniser would give them. */
async function conversation(voices: readonly string[]) {
  const parts: Float32Array[] = []
  const segments: SpeechSegment[] = []
  let at = 0
  for (const text of sentences) {
    for (const voice of voices) {
      const said = ['-f', 'lavfi', '-i', `flite=text='${text}':voice=${voice}`]
      const samples = await samplesOf(await makeFile('wav', said), rate)
      const words = text.split(' ')
      const each = samples.length / rate / words.length
      const placed = words.map((word, i) => ({
        ...{ text: word, startTime: at + i * each, endTime: at + (i + 1) * each },
      }))
      segments.push({ text, startTime: at, endTime: at + samples.length / rate, words: placed })
      parts.push(samples)
      at += samples.length / rate
    }
  }
  const folder = await aFolder()
  const file = path.join(folder, 'all.f32')
  await writeFile(file, Buffer.concat(parts.map(bytesOf)))
  const audio = { path: file, format: 'f32le' as const, durationSeconds: at }
  const speech: Speech = { language: 'en', segments }
  return { audio, speech }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

const whoIn = ({ segments }: Speech) => segments.map(({ speaker }) => speaker)

it('speakersBy tells two people apart by their voices, and one person from nobody else', async () => {
  const tools = await aToolContext()
  const two = await conversation(['slt', 'rms'])
  const texts = new Map<string, string>()
  const kept = keptWindows(texts)
  const shares: number[] = []
  const onShare = (share: number): void => void shares.push(share)
  const told = await tell(two.speech, two.audio, { tools, count: undefined, kept, onShare })
  expect(whoIn(told)).toEqual(sentences.flatMap(() => ['Speaker 1', 'Speaker 2']))
  expect(told.segments.flatMap(({ words = [] }) => words)).toHaveLength(104)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.length).toBeGreaterThan(10)
  expect(shares.at(-1)).toBe(0.95)
  // The next attempt finds what this one has told, as long as it can be read and asks for as many people.
  let asked = 0
  const again = speakersBy(async () => {
    asked++
    return Promise.resolve({ groups: [], certain: false })
  })
  expect(await again(two.speech, two.audio, { tools, count: undefined, kept })).toEqual(told)
  expect(asked).toBe(0)
  await again(two.speech, two.audio, { tools, count: 2, kept })
  for (const name of texts.keys()) texts.set(name, '{"groups":[0],"certain":true}')
  await again(two.speech, two.audio, { tools, count: undefined, kept })
  expect(asked).toBe(2)
  const one = await conversation(['awb'])
  const alone = await tell(one.speech, one.audio, { tools, count: undefined })
  expect(whoIn(alone)).toEqual(sentences.map(() => 'Speaker 1'))
})

function turn(speaker: string, text: string, from: number): SpeechSegment {
  const words = text.split(' ').map((word, i) => ({
    ...{ text: word, speaker, startTime: from + i / 2 + 0.1, endTime: from + i / 2 + 0.5 },
  }))
  return { speaker, text, words, startTime: from + 0.1, endTime: from + words.length / 2 }
}

const talk: Speech = {
  language: 'en',
  speakersCertain: false,
  segments: [
    turn('B', 'How are you?', 0),
    turn('A', 'Very well, thank you.', 2),
    turn('B', 'That is nice.', 5),
  ],
}

it('nameSpeakers gives names in the order in which people begin, and numbers to those without one', async () => {
  const named = nameSpeakers(talk, ['Anna'])
  expect(whoIn(named)).toEqual(['Anna', 'Speaker 2', 'Anna'])
  expect(named.speakers).toEqual(['Anna', 'Speaker 2'])
  expect(whoSaid(named)).toEqual({
    speakers: [
      { name: 'Anna', seconds: 2.4 },
      { name: 'Speaker 2', seconds: 1.6 },
    ],
    speakersCertain: false,
  })
  const { vtt, srt, txt } = await writeTranscript(nameSpeakers(talk, ['Anna', 'Ben & Co']), 8)
  expect(vtt).toContain('\n<v Anna>How are you?\n')
  expect(vtt).toContain('\n<v Ben &amp; Co>Very well, thank you.\n')
  expect(srt).toContain('\nBen & Co: Very well, thank you.\n')
  expect(txt).toBe('Anna: How are you?\n\nBen & Co: Very well, thank you.\n\nAnna: That is nice.\n')
})

describe('cutSpeakers', () => {
  const fps = 25
  const loudness = Float32Array.from({ length: 7 * blocksPerSecond }, (_, i) =>
    (i / blocksPerSecond) % 0.5 < 0.1 ? 1e-8 : 1e-2,
  )
  const cut = (request: { keepSpeakers?: string[]; removeSpeakers?: string[] }) => {
    const grid = { loudness, fps, totalFrames: 7 * fps }
    const asked = { ...request, isCertain: true }
    const { spans, warnings } = cutSpeakers(spokenWords(talk), asked, grid)
    return { warnings, seconds: spans.map(({ from, to }) => [from / fps, to / fps]) }
  }

  it('cuts what somebody says, or everything else, and names who is there instead of a stranger', () => {
    const gone = cut({ removeSpeakers: ['a'] })
    expect(gone.warnings).toEqual([])
    expect(gone.seconds).toHaveLength(1)
    const [[from = 0, to = 0] = []] = gone.seconds
    expect(from).toBeGreaterThanOrEqual(1.44)
    expect(from).toBeLessThanOrEqual(2.16)
    expect(to).toBeGreaterThanOrEqual(4)
    expect(to).toBeLessThanOrEqual(5.16)
    const others = cut({ removeSpeakers: ['B'] }).seconds
    expect(others.map(([begin]) => begin)).toEqual([expect.closeTo(0, 0), expect.closeTo(5, 0)])
    const kept = cut({ keepSpeakers: ['A'] })
    expect(kept.seconds.map(([begin]) => begin)).toEqual([0, expect.closeTo(4, 0)])
    expect(cut({ keepSpeakers: ['Carl'] })).toEqual({
      seconds: [],
      warnings: ['keepSpeakers: nobody is called “Carl”. There are B, A.'],
    })
  })

  it('says so if everybody is cut out', () => {
    expect(cut({ removeSpeakers: ['b', 'A'] }).warnings).toEqual([
      expect.stringMatching(/^removeSpeakers: everybody who speaks was cut out/),
    ])
  })
})
