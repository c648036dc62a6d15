import path from 'node:path'
import { z } from 'zod'
import { benchmark, byTurns, median, say, type Run } from '../benchmark.ts'
import { drive } from '../service/drive.ts'
import { HostedWorker, serviceWith } from '../service/hosted-worker.ts'

const connections = 8
const ranges = 1000
const rangeBytes = 65_536
/** These rounds are not counted: they compile code and fill the caches of the disk. */
const warmUpRounds = 1
const leastShare = { whole: 0.8, parts: 0.5 }

export const links = benchmark({
  summary: 'downloads by link against the bucket alone, and what they ask of the database',
  takes: 'a minute',
  about: `Downloads a finished file by its link, whole and in parts, and the same bytes from the bucket alone in the same runtime, by
turns. Counts the statements that links ask of the database.`,
  numbers: { rounds: [6, 'downloads of each kind'], megabytes: [256, 'size of the file'] },
  async measure({ rounds, megabytes }, run) {
    const plan = serviceWith(path.join(import.meta.dirname, 'entry.js'))
    const worker = await HostedWorker.start(plan, run.folder, run)
    const bytes = megabytes * 1024 * 1024
    const at = await finishedFile(worker, bytes)
    const before = await worker.countStatements()
    // Far apart, as when a viewer seeks; every run requests the same ranges.
    const parts = Array.from({ length: ranges }, (_, i) => {
      const first = (i * 7919 * rangeBytes) % (bytes - rangeBytes)
      return { headers: { Range: `bytes=${first}-${first + rangeBytes - 1}` }, bytes: rangeBytes }
    })
    for (const [title, wanted, least] of [
      [`whole, ${megabytes} MB`, [{ headers: {}, bytes }], leastShare.whole],
      [`${ranges} parts of 64 kB`, parts, leastShare.parts],
    ] as const) {
      const side = (url: string) => async () => megabytesASecond(url, wanted, run)
      const sides = { link: side(at.link), bucket: side(at.bucket) }
      const speeds = await byTurns(rounds, sides, warmUpRounds)
      const middle = (of: keyof typeof at) => median(speeds.map((one) => one[of])).toFixed(0)
      say(`${title}: by its link ${middle('link')} MB/s, from the bucket ${middle('bucket')} MB/s`)
      const share = median(speeds.map(({ link, bucket }) => link / bucket))
      run.judge(`  ${share.toFixed(2)} of the bucket alone`, `at least ${least}`, share >= least)
    }
    const statements = (await worker.countStatements()) - before
    run.judge(`statements for all of it: ${statements}`, '0', statements === 0)
  },
})

type Wanted = { headers: Record<string, string>; bytes: number }

async function megabytesASecond(url: string, all: readonly Wanted[], { stop: signal }: Run) {
  const expected = all.reduce((sum, { bytes }) => sum + bytes, 0)
  const startedAt = performance.now()
  let [next, read] = [0, 0]
  await drive(
    connections,
    () => {
      const wanted = all[next++]
      return wanted && { url, headers: wanted.headers, signal }
    },
    ({ bytes }) => (read += bytes),
  )
  if (read !== expected) throw new Error(`${url}: ${read} bytes came, not ${expected}`)
  return read / 1000 / (performance.now() - startedAt)
}

const finished = z.object({ key: z.string() })
const record = z.object({ finalVideoUrl: z.string() })

/** Makes a video with a finished file, and returns its link and that of the same bytes in the bucket. */
async function finishedFile(worker: HostedWorker, bytes: number) {
  const key = await worker.localKey()
  const videoId = await worker.createVideo(key, { videoName: 'Talk' })
  const file = finished.parse(await worker.ask('/bench/finish', { body: { videoId, bytes } }))
  const { finalVideoUrl } = record.parse(await worker.ask(`/v1/videos/${videoId}`, { key }))
  const bucket = `${worker.baseUrl}/bench/bucket?key=${encodeURIComponent(file.key)}`
  return { link: finalVideoUrl, bucket }
}
