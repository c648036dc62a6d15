import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { buildable } from '../../scripts/containers/base-image.ts'
import { build, dock, findEngine, type Engine } from '../../scripts/containers/engine.ts'
import { root } from '../../scripts/machine/checkout.ts'
import { describeMachine } from '../machine.ts'
import { readOptions, wholeOption } from '../read-options.ts'
import { quantile } from '../requests/figures.ts'
import { JobDesk } from './job-desk.ts'
import { startContainer, startPlain, token, type MediaSide } from './media-side.ts'

const rounds = { fallback: 5, min: 1, max: 20 } as const
const limits = { readyCpuSeconds: 1, jobRatio: 1.02 }
const images = {
  media: { tag: 'spool-media:bench', file: 'containers/Dockerfile', megabytes: 700 },
  service: { tag: 'spool-service:bench', file: 'self-hosting/Dockerfile', megabytes: 1_000 },
} as const

export const containersHelp = `Usage: npm run bench -- containers [options]

Builds both images with the Docker engine of this machine (npm run containers -- --help says how to get one) and tells their
size by layer; starts the media worker in a container, with and without the code that the image has compiled; and runs the
same job in a container and in a plain process by turns. Takes about four minutes, two more for the first build.

  --rounds N  starts and jobs of each kind (default: ${rounds.fallback})
`

/** Returns 0 if every limit is kept, 1 if one is not, 130 if it was stopped. */
export async function runContainers(args: readonly string[], stop: AbortSignal): Promise<number> {
  const values = readOptions(args, { rounds: { type: 'string' } }, containersHelp)
  const count = wholeOption('rounds', values.rounds, rounds)
  const engine = findEngine()
  say(`${describeMachine()}, Docker ${engine.version}`)
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-'))
  try {
    const areSmall = await showImages(engine)
    const isQuick = await showStarts(engine, count, stop)
    const isCheap = await showJobs(engine, { count, folder, stop })
    const isKept = areSmall && isQuick && isCheap
    say(isKept ? 'ok' : 'a limit is not kept')
    return isKept ? 0 : 1
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function showImages(engine: Engine): Promise<boolean> {
  let areSmall = true
  for (const { tag, file, megabytes } of Object.values(images)) {
    build(engine, { tag, context: root, text: await buildable(engine, file, say) })
    const bytes = Number(dock(engine, 'image', 'inspect', '--format', '{{.Size}}', tag))
    const isSmall = bytes <= megabytes * 1e6
    areSmall &&= isSmall
    say(`\n${file}: ${(bytes / 1e6).toFixed(0)} MB  limit ${megabytes}: ${verdict(isSmall)}`)
    const format = '{{.Size}}\t{{.CreatedBy}}'
    const layers = dock(engine, 'history', '--no-trunc', '--format', format, tag)?.split('\n') ?? []
    for (const layer of layers.filter((line) => /^[\d.]+(MB|GB)/.test(line))) {
      const [size = '', made = ''] = layer.split('\t')
      say(`  ${size.padStart(8)}  ${made.replace(/\/bin\/sh -c (#\(nop\) +)?/, '').slice(0, 90)}`)
    }
  }
  return areSmall
}

async function showStarts(engine: Engine, count: number, stop: AbortSignal): Promise<boolean> {
  const kinds = {
    'as it is built': {},
    'with nothing compiled': { NODE_COMPILE_CACHE: '/work/none' },
  }
  const spent: Record<string, number[]> = {}
  say('\nstart of a container          ready after   processor time   memory at rest')
  for (let round = 0; round < count; round++) {
    for (const [kind, env] of Object.entries(kinds)) {
      const side = await startContainer(engine, images.media.tag, env)
      await delay(1_000, undefined, { signal: stop }).finally(async () => {
        if (stop.aborted) await side.stop()
      })
      const seconds = `${side.readySeconds.toFixed(2)} s`.padStart(13)
      const cpu = `${side.readyCpuSeconds.toFixed(2)} s`.padStart(17)
      say(
        `  ${kind.padEnd(26)}${seconds}${cpu}${`${side.mebibytes().toFixed(0)} MiB`.padStart(17)}`,
      )
      ;(spent[kind] ??= []).push(side.readyCpuSeconds)
      await side.stop()
    }
  }
  const middle = quantile(spent['as it is built'] ?? [], 0.5)
  const isQuick = middle <= limits.readyCpuSeconds
  say(`  processor time in the middle: ${middle.toFixed(2)} s  limit 1 s: ${verdict(isQuick)}`)
  return isQuick
}

type Jobs = { count: number; folder: string; stop: AbortSignal }

async function showJobs(engine: Engine, { count, folder, stop }: Jobs): Promise<boolean> {
  const clip = path.join(folder, 'clip.mp4')
  const pattern = 'testsrc2=size=1280x720:rate=30:duration=40'
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', pattern, ...coding, clip])
  const desk = new JobDesk(clip)
  // Both sides fetch their source and report over the address of the bridge.
  await desk.open(engine.gateway)
  const sides = {
    container: async () => startContainer(engine, images.media.tag, {}),
    plain: async () => startPlain(path.join(folder, 'work')),
  }
  const ratios: number[] = []
  say('\na job (40 s of 720p, 9:16)    processor time      elapsed    most memory')
  try {
    for (let round = 0; round < count; round++) {
      const cpu = { container: 0, plain: 0 }
      const order =
        round % 2 === 0 ? (['container', 'plain'] as const) : (['plain', 'container'] as const)
      for (const side of order) {
        stop.throwIfAborted()
        cpu[side] = await timeJob(side, await sides[side](), desk)
      }
      ratios.push(cpu.container / cpu.plain)
    }
  } finally {
    desk.close()
  }
  const middle = quantile(ratios, 0.5)
  const isCheap = middle <= limits.jobRatio
  say(
    `  ratio in the middle: ${middle.toFixed(3)}  limit ${limits.jobRatio}: ${verdict(isCheap)}\n`,
  )
  return isCheap
}

const names = { container: 'in a container', plain: 'in a plain process' }

/** Returns the processor time of one job. The first one of a process pays for what is loaded once, so it is not counted. */
async function timeJob(
  where: 'container' | 'plain',
  side: MediaSide,
  desk: JobDesk,
): Promise<number> {
  try {
    await desk.run(side.url, token)
    const before = side.cpuSeconds()
    const beganAt = performance.now()
    let most = 0
    const looking = setInterval(() => (most = Math.max(most, side.mebibytes())), 500)
    const how = await desk.run(side.url, token).finally(() => clearInterval(looking))
    if (how !== 'succeeded') throw new Error(`the job ended as ${how}`)
    const spent = side.cpuSeconds() - before
    const seconds = (performance.now() - beganAt) / 1_000
    say(
      `  ${names[where].padEnd(26)}${`${spent.toFixed(2)} s`.padStart(16)}${`${seconds.toFixed(2)} s`.padStart(13)}${`${most.toFixed(0)} MiB`.padStart(15)}`,
    )
    return spent
  } finally {
    await side.stop()
  }
}

const verdict = (isKept: boolean) => (isKept ? 'ok' : 'not kept')

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
