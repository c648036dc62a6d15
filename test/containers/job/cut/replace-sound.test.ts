import { describe, expect, it } from 'vitest'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { savedOutput } from '../../../support/containers/outputs.ts'
import { packetsOf } from '../../../support/containers/run-tool.ts'
import { aServiceForAll, runJob } from '../../../support/containers/service-for-all.ts'
import { leftOf } from '../../../support/containers/sound/samples.ts'
import { amplitudeAt } from '../../../support/containers/sound/sound-files.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const service = aServiceForAll()
const rate = 16_000

const film = async () =>
  countedVideo({ seconds: 4, fps: 25, sound: "aevalsrc='0.2*sin(2*PI*440*t)':s=48000:d=4" })

/** A tone of another pitch. */
const tone = async (seconds: number) =>
  makeFile('wav', ['-f', 'lavfi', '-i', `aevalsrc='0.2*sin(2*PI*1000*t)':s=44100:d=${seconds}`])

async function replace(video: string, sound: string, options: Record<string, unknown> = {}) {
  const replaceUrl = service.sources.file(sound)
  const audio = { ...(options['audio'] as object | undefined), replaceUrl }
  const inputs = [service.sources.file(video)]
  const asked = { inputs, options: { ...options, audio } }
  const { receiver, end } = await runJob(service.worker, asked)
  return { end, file: async () => savedOutput(receiver, 'final', 'mp4') }
}

/** How loud a tone is in a quarter of a second. */
function levelAt(samples: Float32Array, seconds: number, pitch: number): number {
  return amplitudeAt(samples, rate, seconds + 0.125, { hertz: pitch, windowSeconds: 0.25 })
}

describe('replaceSound', () => {
  it('puts a shorter sound in place of that of the film, and copies the pictures', async () => {
    const video = await film()
    const { end, file } = await replace(video, await tone(2), { audio: { volume: 0.5 } })
    expect(end).toMatchObject({ type: 'succeeded', warnings: [], videoMetadata: { duration: 4 } })
    const made = await file()
    expect(await packetsOf(made)).toBe(await packetsOf(video))
    const samples = await leftOf(made, rate)
    expect(Math.abs(samples.length / rate - 4)).toBeLessThan(0.05)
    expect(levelAt(samples, 0, 1000)).toBeCloseTo(0.1, 2)
    expect(levelAt(samples, 1.7, 1000)).toBeCloseTo(0.1, 2)
    expect(levelAt(samples, 2.1, 1000)).toBeLessThan(0.002)
    for (const at of [0.5, 2.5]) expect(levelAt(samples, at, 440)).toBeLessThan(0.002)
  })

  it('neither cuts it nor plays it faster, and ends it with the film', async () => {
    const { end, file } = await replace(await film(), await tone(9), {
      ...{ speed: 1.5, removeSegments: [{ startTime: 1, endTime: 2 }] },
      normalizeAudio: { target: -20 },
    })
    expect(end).toMatchObject({ type: 'succeeded', videoMetadata: { duration: 2 } })
    const samples = await leftOf(await file(), rate)
    expect(Math.abs(samples.length / rate - 2)).toBeLessThan(0.05)
    // A tone of 1 kHz on both sides is at −20 LUFS with this amplitude.
    for (const at of [0.1, 0.8, 1.6]) expect(levelAt(samples, at, 1000)).toBeCloseTo(0.1, 2)
  })

  it('names the field of a file that is not a sound', async () => {
    const video = await film()
    const { end } = await replace(video, video)
    expect(end).toMatchObject({ type: 'failed', reason: 'element_unusable' })
    expect(end).toHaveProperty(
      'message',
      expect.stringMatching(/^audio\.replaceUrl: .* \(found: MP4\)/),
    )
  })
})
