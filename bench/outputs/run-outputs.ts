import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/machine/checkout.ts'
import { aJob, aJobId } from '../../test/support/containers/a-job.ts'
import { startMediaWorker, type MediaWorker } from '../../test/support/containers/media-worker.ts'
import { startReceiver } from '../../test/support/containers/receiver.ts'
import { startSources } from '../../test/support/containers/sources.ts'
import { benchmark, say, type Run } from '../benchmark.ts'
import { footages } from '../cuts/footage.ts'
import { timed, useBelow } from '../machine.ts'

/** How much less processor time one job with five outputs takes than five jobs. */
const leastRatio = 1.8

const edit = {
  removeSegments: [
    { startTime: 2, endTime: 4 },
    { startTime: 9.5, endTime: 10.5 },
  ],
  removeNoise: true,
  normalizeAudio: true,
  captions: { style: 'box' },
  compressionQuality: 70,
}

const results = [
  { name: 'web', width: 1280 },
  { name: 'phone', aspectRatio: '9:16', width: 540 },
  { name: 'square', aspectRatio: '1:1', width: 480 },
  { name: 'small', height: 360 },
  { name: 'podcast', outputFormat: 'mp3' },
]

/** What somebody would type for each of them: no captions, and simpler filters for the sound. */
const byHand = [
  'scale=1280:-2',
  'crop=ih*9/16:ih,scale=540:960',
  'crop=ih:ih,scale=480:480',
  'scale=-2:360',
]

export const outputs = benchmark({
  summary: 'one job with five outputs against five jobs, and against five commands: processor time',
  takes: 'three minutes',
  about: `Sends a film with speech to a media worker: as one job with five outputs (four films and a sound, cut, cleaned and
captioned), and as a job for each of them. Then five ffmpeg commands make about the same by hand, without captions.`,
  numbers: {
    seconds: { fallback: 40, min: 15, max: 600, means: 'length of the film' },
    lines: { fallback: 1080, min: 360, max: 2_160, means: 'height of its picture' },
  },
  async measure({ seconds, lines }, run) {
    const film = await filmOf(run, seconds, lines)
    const worker = await startMediaWorker()
    run.atEnd(async () => worker.stop())
    const sources = await startSources()
    run.atEnd(async () => sources.close())
    const url = sources.file(film)
    // The first job of a media worker also loads its models.
    await processorOf(worker, url, [[results[3]]])
    const together = await processorOf(worker, url, [results])
    const apart = await processorOf(
      worker,
      url,
      results.map((one) => [one]),
    )
    say(`one job ${together.toFixed(1)} processor s, five jobs ${apart.toFixed(1)}`)
    const hand = await timed(async () => commandsByHand(run, film))
    say(`five commands by hand ${hand.processor.toFixed(1)} processor s`)
    const ratio = apart / together
    const figure = `one job takes ${ratio.toFixed(2)} times less processor time than five`
    run.judge(figure, `at least ${leastRatio}`, ratio >= leastRatio)
  },
})

async function filmOf({ folder, stop }: Run, seconds: number, lines: number): Promise<string> {
  const [camera] = footages
  if (!camera) throw new Error('There is no footage')
  const size = `${Math.round((lines * 16) / 18) * 2}x${lines}`
  const speech = path.join(root, 'docs/examples/speech.mp4')
  const picture = ['-f', 'lavfi', '-i', camera.source(size, seconds)]
  const sound = ['-stream_loop', '-1', '-i', speech, '-map', '0:v', '-map', '1:a']
  const file = path.join(folder, 'film.mp4')
  const made = [...picture, ...sound, ...camera.coding, '-t', String(seconds), file]
  await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...made], { signal: stop })
  return file
}

type Jobs = readonly (readonly unknown[])[]

/** The processor time of jobs that a media worker does one after another. */
async function processorOf(worker: MediaWorker, url: string, jobs: Jobs): Promise<number> {
  const before = usedBy(worker)
  for (const outputs of jobs) {
    const receiver = await startReceiver({ partSizeBytes: 64 * 1024 * 1024 })
    const options = { ...edit, outputs }
    const job = aJob({ inputs: [url], reportsUrl: receiver.reportsUrl, options, jobId: aJobId() })
    await worker.post('/jobs', { ...job, title: 'film' })
    const end = await receiver.end()
    await receiver.close()
    if (end.type !== 'succeeded') throw new Error(`A job ended: ${JSON.stringify(end)}`)
  }
  return usedBy(worker) - before
}

function usedBy({ pid }: MediaWorker): number {
  return useBelow(pid).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
}

async function commandsByHand({ folder, stop }: Run, film: string): Promise<void> {
  const kept = edit.removeSegments
    .map(({ startTime, endTime }) => `not(between(t,${startTime},${endTime}))`)
    .join('*')
  const sound = `aselect='${kept}',asetpts=N/SR/TB,afftdn,loudnorm`
  const run = async (args: readonly string[]) =>
    promisify(execFile)('ffmpeg', ['-v', 'error', '-y', '-i', film, ...args], { signal: stop })
  for (const [i, filter] of byHand.entries()) {
    const picture = `select='${kept}',setpts=N/FRAME_RATE/TB,${filter}`
    const coding = ['-c:v', 'libx264', '-preset', 'fast', '-crf', '23', '-pix_fmt', 'yuv420p']
    await run(['-vf', picture, '-af', sound, ...coding, path.join(folder, `hand${i}.mp4`)])
  }
  await run(['-vn', '-af', sound, path.join(folder, 'hand.mp3')])
}
