import { describe, expect, it } from 'vitest'
import { renderVideo } from '../support/render-video.ts'
import { samplesOf } from '../support/samples.ts'
import {
  envelope,
  rate,
  silence,
  speech,
  spokenBlocks,
  videoWithSound,
  withNoise,
} from '../support/speech.ts'

const pauses = [1, 1.2, 0.3, 0.6, 2]
const fps = 25

/** Which blocks of 10 ms of the source are still there. */
async function cut(clean: Float32Array<ArrayBuffer>, heard = clean) {
  const video = await renderVideo([{ file: await videoWithSound(heard) }], { removeSilence: true })
  const removed = video.sound?.removed.all ?? []
  const isKept = spokenBlocks(clean).map((_, block) =>
    removed.every(({ from, to }) => block < (from / fps) * 100 || block >= (to / fps) * 100),
  )
  return { ...video, isKept }
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

describe('removeSilence', () => {
  it('cuts every long pause down to its padding, and no word', async () => {
    const clean = await speech(pauses)
    const { isKept, file, plan } = await cut(clean)
    expect(lostBlocks(clean, isKept)).toBe(0)
    const gaps = gapsOf(clean, isKept)
    const long = gaps.filter(({ seconds }) => seconds > 0.62)
    expect(long.length).toBeGreaterThanOrEqual(4)
    expect(long.filter(({ keptSeconds }) => keptSeconds > 0.52)).toEqual([])
    const short = gaps.filter(({ seconds }) => seconds < 0.45)
    expect(short.every(({ seconds, keptSeconds }) => seconds === keptSeconds)).toBe(true)
    // Everything that was said is in the file, with its energy.
    const said = envelope(await samplesOf(file, rate)).filter((level) => level > -45).length
    const wanted = envelope(clean).filter((level) => level > -45).length
    expect(Math.abs(said - wanted) / wanted).toBeLessThan(0.05)
    expect(plan.durationSeconds).toBeLessThan(clean.length / rate - 2.5)
  })

  it('hears the same words under white noise at 10 dB', async () => {
    const clean = await speech(pauses)
    const { isKept, plan } = await cut(clean, await withNoise(clean, 'white', 10))
    expect(lostBlocks(clean, isKept)).toBe(0)
    expect(plan.durationSeconds).toBeLessThan(clean.length / rate - 2.5)
  })

  it('hears the same words under pink noise at 10 dB', async () => {
    const clean = await speech(pauses)
    const { isKept, plan } = await cut(clean, await withNoise(clean, 'pink', 10))
    expect(lostBlocks(clean, isKept)).toBe(0)
    expect(plan.durationSeconds).toBeLessThan(clean.length / rate - 2.5)
  })

  it('counts a pause that removed segments leave behind', async () => {
    const clean = await speech([0.2, 3, 0.2])
    const first = await videoWithSound(clean)
    const levels = spokenBlocks(clean)
    const begin = levels.findIndex((_, block) => levels.slice(block, block + 200).every((s) => !s))
    // Leaves 0.3 s of quiet on either side: less than the minimum, more together.
    const segment = { startTime: begin / 100 + 0.3, endTime: begin / 100 + 2.7 }
    const { sound, plan } = await renderVideo([{ file: first }], {
      removeSegments: [segment],
      removeSilence: true,
    })
    expect(sound?.removed.all).toHaveLength(1)
    // What was asked stands between what is silent around it; no second counts twice.
    expect(plan.cuts.list.map(({ why }) => why)).toEqual(['silence', 'asked', 'silence'])
    expect(plan.cuts.silenceSeconds).toBeGreaterThan(0.1)
    const { segmentsSeconds, silenceSeconds, removedSeconds } = plan.cuts
    expect(segmentsSeconds + silenceSeconds).toBeCloseTo(removedSeconds, 2)
  })

  it('keeps a wholly silent clip, and says so', async () => {
    const { plan } = await cut(silence(3))
    expect([plan.video, plan.durationSeconds]).toEqual(['copy', 3])
    expect(plan.warnings).toEqual(['removeSilence: all of it is silent, so all was kept.'])
  })

  it('keeps a hum that never pauses, and says so', async () => {
    const hum = silence(3).map((_, i) => 0.2 * Math.sin(i / 20))
    const { plan } = await cut(hum)
    expect(plan.warnings).toEqual([
      'removeSilence: no pauses could be told from the sound, so all was kept.',
    ])
  })
})
