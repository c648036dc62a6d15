import { Agent, request } from 'node:http'
import path from 'node:path'
import { z } from 'zod'
import { benchmark, median, say } from '../benchmark.ts'
import { HostedWorker, serviceWith } from '../service/hosted-worker.ts'

const connections = 8
const rangeBytes = 65_536
/** These rounds are not counted: they compile code and fill the caches of the disk. */
const warmUpRounds = 1
const leastShare = { whole: 0.8, parts: 0.5 }

export const links = benchmark({
  summary: 'downloads by link against the bucket alone, and what they ask of the database',
  takes: 'a minute',
  about: `Downloads a finished file by its link, whole and in parts, and the same bytes from the bucket alone in the same runtime, by
turns. Counts the statements that links ask of the database.`,
  numbers: {
    rounds: { fallback: 6, min: 1, max: 50, means: 'downloads of each kind' },
    megabytes: { fallback: 256, min: 1, max: 2048, means: 'size of the file' },
    ranges: { fallback: 1000, min: 10, max: 100_000, means: 'requests for parts in a round' },
  },
  async measure({ rounds, megabytes, ranges }, run) {
    const { judge, stop } = run
    const plan = serviceWith(path.join(import.meta.dirname, 'entry.js'))
    const worker = await HostedWorker.start(plan, run.folder, run)
    const bytes = megabytes * 1024 * 1024
    const at = await finishedFile(worker, bytes)
    const whole = (url: string): Wanted[] => [{ url, bytes, stop }]
    const parts = (url: string): Wanted[] =>
      Array.from({ length: ranges }, (_, i) => {
        // Far apart, as a player that seeks; every run asks for the same ones.
        const first = (i * 7919 * rangeBytes) % (bytes - rangeBytes)
        const range = `bytes=${first}-${first + rangeBytes - 1}`
        return { url, range, bytes: rangeBytes, stop }
      })
    const before = await worker.countStatements()
    for (const [title, wanted, least] of [
      [`whole, ${megabytes} MB`, whole, leastShare.whole],
      [`${ranges} parts of 64 kB`, parts, leastShare.parts],
    ] as const) {
      const speeds = await compare(rounds, { link: wanted(at.link), bucket: wanted(at.bucket) })
      const middle = (side: 'link' | 'bucket') => median(speeds.map((one) => one[side])).toFixed(0)
      say(`${title}: by its link ${middle('link')} MB/s, from the bucket ${middle('bucket')} MB/s`)
      const share = median(speeds.map(({ link, bucket }) => link / bucket))
      judge(`  ${share.toFixed(2)} of the bucket alone`, `at least ${least}`, share >= least)
    }
    const statements = (await worker.countStatements()) - before
    judge(`statements for all of it: ${statements}`, '0', statements === 0)
  },
})

type Wanted = { url: string; range?: string; bytes: number; stop: AbortSignal }
type Speeds = { link: number; bucket: number }

/** Downloads alternately, and returns the megabytes per second. */
async function compare(
  rounds: number,
  wanted: Record<keyof Speeds, readonly Wanted[]>,
): Promise<Speeds[]> {
  const speeds: Speeds[] = []
  for (let n = -warmUpRounds; n < rounds; n++) {
    const speed = { link: 0, bucket: 0 }
    const order = n % 2 === 0 ? (['link', 'bucket'] as const) : (['bucket', 'link'] as const)
    for (const side of order) {
      const bytes = wanted[side].reduce((sum, one) => sum + one.bytes, 0)
      speed[side] = bytes / (await downloadAll(wanted[side])) / 1_000_000
    }
    if (n >= 0) speeds.push(speed)
  }
  return speeds
}

/** Returns the seconds that it takes to get everything on a few kept-alive connections. */
async function downloadAll(all: readonly Wanted[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const startedAt = performance.now()
  let next = 0
  const onConnection = async () => {
    for (let wanted = all[next++]; wanted; wanted = all[next++]) await download(wanted, agent)
  }
  try {
    await Promise.all(Array.from({ length: connections }, onConnection))
  } finally {
    agent.destroy()
  }
  return (performance.now() - startedAt) / 1000
}

/** Reads an answer to its end, and throws if it is an error or has another number of bytes. */
async function download({ url, range, bytes, stop }: Wanted, agent: Agent): Promise<void> {
  const headers = range === undefined ? {} : { Range: range }
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(url, { agent, headers, signal: stop }, (response) => {
      let read = 0
      response.on('data', (part: Buffer) => (read += part.length))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0 } = response
        if (statusCode < 300 && read === bytes) resolve()
        else reject(new Error(`${url}: ${statusCode} with ${read} bytes`))
      })
    })
    outgoing.on('error', reject).end()
  })
}

const finished = z.object({ key: z.string() })
const record = z.object({ finalVideoUrl: z.string() })

/** A video with a finished file: its link, and the same bytes from the bucket alone. */
async function finishedFile(worker: HostedWorker, bytes: number) {
  const key = await worker.localKey()
  const videoId = await worker.createVideo(key, { videoName: 'Talk' })
  const file = finished.parse(await worker.ask('/bench/finish', { body: { videoId, bytes } }))
  const { finalVideoUrl } = record.parse(await worker.ask(`/v1/videos/${videoId}`, { key }))
  const bucket = `${worker.baseUrl}/bench/bucket?key=${encodeURIComponent(file.key)}`
  return { link: finalVideoUrl, bucket }
}
