import { describe, expect, it } from 'vitest'
import type { FrameSpan } from '../../../containers/timeline/frame-spans.ts'
import type { VoiceDetector } from '../../../containers/sound/pauses/voice-activity.ts'
import { makeVideo } from '../../support/node/fixtures.ts'
import { measureHere, type Hearing } from '../../support/containers/films/job-here.ts'
import { renderVideo } from '../../support/containers/films/render-video.ts'
import { samplesOf } from '../../support/containers/sound/samples.ts'
import {
  envelope,
  joined,
  powerOf,
  rate,
  silence,
  speech,
  spokenBlocks,
  videoWithSound,
  withNoise,
} from '../../support/containers/sound/speech.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'
import { campaign } from '../../support/node/campaign.ts'

const pauses = [1, 1.2, 0.3, 0.6, 2]
const fps = 25

const asked = { removeSilence: true }

const measured = async (file: string, options: object, hearing?: Hearing) =>
  measureHere(await aToolContext(), { sources: [{ file }], options: { ...options }, hearing })

/** What is cut of a sound, in pictures and seconds; nothing is rendered. */
async function cut(heard: Float32Array<ArrayBuffer>, hearing: Hearing = {}) {
  const { sound } = await measured(await videoWithSound(heard), asked, hearing)
  const removed = sound?.removed.all ?? []
  const seconds = removed.reduce((sum, { from, to }) => sum + to - from, 0) / fps
  return { removed, seconds, warnings: sound?.warnings }
}

/** Which blocks of 10 ms of the clean speech are still there. */
function keptOf(clean: Float32Array, removed: readonly FrameSpan[]): boolean[] {
  return spokenBlocks(clean).map((_, block) =>
    removed.every(({ from, to }) => block < (from / fps) * 100 || block >= (to / fps) * 100),
  )
}

type Gap = { seconds: number; keptSeconds: number }

/** The pauses in clean speech, and how much of each is left. */
function gapsOf(clean: Float32Array, isKept: readonly boolean[]): Gap[] {
  const gaps: Gap[] = []
  let blocks: number[] = []
  for (const [block, isSpoken] of [...spokenBlocks(clean), true].entries()) {
    if (!isSpoken) blocks.push(block)
    if (isSpoken && blocks.length > 0) {
      const kept = blocks.filter((quiet) => isKept[quiet])
      gaps.push({ seconds: blocks.length / 100, keptSeconds: kept.length / 100 })
    }
    if (isSpoken) blocks = []
  }
  return gaps
}

function lostBlocks(clean: Float32Array, isKept: readonly boolean[]): number {
  return spokenBlocks(clean).filter((isSpoken, block) => isSpoken && !isKept[block]).length
}

function mixed(
  one: Float32Array<ArrayBuffer>,
  other: Float32Array,
  gain: number,
): Float32Array<ArrayBuffer> {
  return one.map((value, i) => value + (other[i] ?? 0) * gain)
}

function tone(hertz: number, seconds: number, amplitude: number): Float32Array<ArrayBuffer> {
  return silence(seconds).map((_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / rate))
}

const brokenDetector: VoiceDetector = {
  listen: () => ({
    grown: () => undefined,
    finish: async () => Promise.reject(new Error('The voice detector failed')),
    stop: async () => undefined,
  }),
}

describe('removeSilence', () => {
  it('cuts every long pause down to its padding, and no word', async () => {
    const clean = await speech(pauses)
    const { sound, file, plan } = await renderVideo([{ file: await videoWithSound(clean) }], asked)
    const isKept = keptOf(clean, sound?.removed.all ?? [])
    expect(lostBlocks(clean, isKept)).toBe(0)
    const gaps = gapsOf(clean, isKept)
    const long = gaps.filter(({ seconds }) => seconds > 0.9)
    expect(long.length).toBeGreaterThanOrEqual(3)
    expect(long.filter(({ keptSeconds }) => keptSeconds > 0.56)).toEqual([])
    const short = gaps.filter(({ seconds }) => seconds < 0.45)
    expect(short.every(({ seconds, keptSeconds }) => seconds === keptSeconds)).toBe(true)
    // Everything that was said is in the file, with its energy.
    const said = envelope(await samplesOf(file, rate)).filter((level) => level > -45).length
    const wanted = envelope(clean).filter((level) => level > -45).length
    expect(Math.abs(said - wanted) / wanted).toBeLessThan(0.05)
    expect(plan.durationSeconds).toBeLessThan(clean.length / rate - 2.5)
  })

  campaign('keeps the same words under pink noise at 10 dB', async () => {
    const clean = await speech(pauses)
    const { removed, seconds } = await cut(await withNoise(clean, 'pink', 10))
    expect(lostBlocks(clean, keptOf(clean, removed))).toBe(0)
    expect(seconds).toBeGreaterThan(2.5)
  })

  campaign('finds the same pauses whether noise is removed or not', async () => {
    const noisy = await withNoise(await speech(pauses), 'pink', 12)
    const file = await videoWithSound(noisy)
    const plain = await measured(file, asked)
    const cleaned = await measured(file, { ...asked, removeNoise: true })
    expect(plain.sound?.removed.all.length).toBeGreaterThanOrEqual(4)
    expect(cleaned.sound?.removed).toEqual(plain.sound?.removed)
  })

  campaign(
    'keeps music 10 dB below the words around it, and cuts music 30 dB below them',
    async () => {
      const clean = await speech([0.5, 4, 0.5])
      const chords = clean.map((_, i) =>
        [262, 330, 392].reduce((sum, hertz) => sum + Math.sin((2 * Math.PI * hertz * i) / rate), 0),
      )
      const level = Math.sqrt(powerOf(clean.filter((value) => value !== 0)) / powerOf(chords))
      const under = async (db: number) =>
        (await cut(mixed(clean, chords, level / 10 ** (db / 20)))).seconds
      expect(await under(10)).toBe(0)
      expect(await under(30)).toBeGreaterThan(3)
    },
  )

  campaign('cuts a pause whose halves only meet once a removed segment is gone', async () => {
    const clean = await speech([0.2, 3, 0.2])
    const first = await videoWithSound(clean)
    const levels = spokenBlocks(clean)
    const begin = levels.findIndex((_, block) => levels.slice(block, block + 200).every((s) => !s))
    // Leaves 0.3 s of quiet on either side: less than the minimum, more together.
    const segment = { startTime: begin / 100 + 0.3, endTime: begin / 100 + 2.7 }
    const { sound, plan } = await renderVideo([{ file: first }], {
      ...asked,
      removeSegments: [segment],
    })
    expect(sound?.removed.all).toHaveLength(1)
    // What was asked stands between what is silent around it; no second counts twice.
    expect(plan.cuts.list.map(({ why }) => why)).toEqual(['silence', 'asked', 'silence'])
    expect(plan.cuts.silenceSeconds).toBeGreaterThan(0.1)
    const { segmentsSeconds, silenceSeconds, removedSeconds } = plan.cuts
    expect(segmentsSeconds + silenceSeconds).toBeCloseTo(removedSeconds, 2)
  })

  campaign('finds the pauses of joined clips, also across a clip without sound', async () => {
    const one = await videoWithSound(await speech([0.5, 0.1]))
    const deaf = await makeVideo({ seconds: 2, tone: null, fps })
    const { plan, sound, file } = await renderVideo(
      [{ file: one }, { file: deaf }, { file: one }],
      { removeSilence: true, removeNoise: true, normalizeAudio: true },
    )
    // Before the first, and from the end of one over the clip without sound to the other.
    expect(sound?.removed.all).toHaveLength(2)
    expect(plan.cuts.silenceSeconds).toBeGreaterThan(2 + 0.5 + 0.1)
    const seconds = (await samplesOf(file, rate)).length / rate
    expect(Math.abs(seconds - plan.durationSeconds)).toBeLessThan(0.05)
  })

  it('keeps a completely silent clip, and warns about it', async () => {
    const { plan } = await renderVideo([{ file: await videoWithSound(silence(3)) }], asked)
    expect([plan.video, plan.durationSeconds]).toEqual(['copy', 3])
    expect(plan.warnings).toEqual(['removeSilence: all of it is silent, so all was kept.'])
  })

  it('cuts only silence if nobody speaks, and warns about it', async () => {
    const warnings = ['removeSilence: no voice was found, so only what is silent was cut.']
    const scrap = await cut(joined([tone(60, 3, 0.003), silence(6)]))
    const [only, more] = scrap.removed
    expect(more).toBeUndefined()
    expect((only?.from ?? 0) / fps).toBeCloseTo(3.2, 0)
    expect(only?.to).toBe(9 * fps)
    expect(scrap.warnings).toEqual(warnings)
    const bass = await cut(tone(60, 9, 0.3))
    expect(bass.removed).toEqual([])
    expect(bass.warnings).toEqual(warnings)
  })

  campaign('cuts only silence if the voice detector fails, and warns about it', async () => {
    const quietAtTheEnd = joined([await speech([0.3, 0.3]), silence(4)])
    const faults: string[] = []
    const failing = { voices: brokenDetector, onFault: (fault: string) => faults.push(fault) }
    const { removed, warnings } = await cut(quietAtTheEnd, failing)
    expect(faults).toEqual([expect.stringContaining('The voice detector failed')])
    expect(removed).toHaveLength(1)
    expect(warnings).toEqual([
      'removeSilence: the voice detector failed, so only what is silent was cut.',
    ])
  })
})
