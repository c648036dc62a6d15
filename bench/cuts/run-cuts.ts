import { mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { readTool, type ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { keptSpans } from '../../containers/timeline/frame-spans.ts'
import { keepExpression } from '../../containers/timeline/keep-expression.ts'
import { describeMachine } from '../machine.ts'
import { toolsIn } from '../tools-in.ts'
import { footages, partsToCut, presentIn, type Footage } from './footage.ts'
import { readCutsSettings, type CutsSettings } from './settings.ts'
import { ffmpeg, resultOf, ways, type Task } from './ways.ts'

/** How many times faster than one encode a cut has to be. */
const leastRatio = 5

/** Ends with 0 when every cut is exact and fast enough, 1 when one is not, 130 when stopped. */
export async function runCuts(args: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = readCutsSettings(args)
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'spool-bench-')))
  try {
    const { seconds, cuts, lines } = settings
    say(describeMachine())
    say(`${seconds} s of ${lines} lines, ${cuts} cuts\n`)
    say(
      'footage   way              seconds  faster  busy  less work  frames off  same frames  worst dB',
    )
    let isKept = true
    for (const footage of footages.filter(({ name }) => name === (settings.footage ?? name))) {
      isKept =
        (await compare(
          toolsIn(folder, stop, {
            threads: availableParallelism(),
            limits: { stallMs: 7_200_000, wallMs: 7_200_000, memoryBytes: 4 * 1024 ** 3 },
          }),
          footage,
          settings,
        )) && isKept
    }
    say(`\n${isKept ? 'ok' : 'a cut is not exact, or not fast enough'}`)
    return isKept ? 0 : 1
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function compare(
  tools: ToolContext,
  footage: Footage,
  settings: CutsSettings,
): Promise<boolean> {
  const task = await taskOf(tools, footage, settings)
  const spent = new Map<string, Spent>()
  for (const [way, work] of Object.entries(ways).filter(([way]) => isAsked(way, settings))) {
    const [startedAt, workedBefore] = [performance.now(), await processorSeconds()]
    const said = await work(task)
    const seconds = (performance.now() - startedAt) / 1000
    const busy = (await processorSeconds()) - workedBefore
    const exactness = await exactnessOf(task, resultOf(way), presentIn(footage, task.kept))
    spent.set(way, { seconds, busy, said, exactness })
  }
  const encode = spent.get('one encode') ?? { seconds: 0, busy: 0 }
  for (const [way, one] of spent) say(lineOf(footage.name, way, one, encode))
  const ours = spent.get('as stored')
  const isExact = ours?.exactness.framesOff === 0 && ours.exactness.worstDb >= 40
  return ours !== undefined && isExact && encode.seconds / ours.seconds >= leastRatio
}

type Spent = { seconds: number; busy: number; said: string; exactness: Exactness }

function lineOf(
  footage: string,
  way: string,
  { seconds, busy, said, exactness: { framesOff, sameShare, worstDb } }: Spent,
  encode: Pick<Spent, 'seconds' | 'busy'>,
): string {
  return [
    footage.padEnd(8),
    way.padEnd(14),
    seconds.toFixed(1).padStart(8),
    `${(encode.seconds / seconds).toFixed(1)} ×`.padStart(7),
    busy.toFixed(1).padStart(6),
    `${(encode.busy / busy).toFixed(1)} ×`.padStart(7),
    String(framesOff).padStart(10),
    `${(sameShare * 100).toFixed(1)} %`.padStart(11),
    (Number.isFinite(worstDb) ? worstDb.toFixed(1) : '–').padStart(8),
    said,
  ].join('  ')
}

function isAsked(way: string, { ways: asked }: CutsSettings): boolean {
  const isCompared = way === 'as stored' || way === 'one encode'
  return isCompared || (asked?.some((name) => way.includes(name)) ?? true)
}

/** What this process and the programs that have ended used: on a busy machine it tells more than the clock. */
async function processorSeconds(): Promise<number> {
  const stat = await readFile('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Behind the name: the twelfth to the fifteenth, in hundredths.
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100
}

async function taskOf(tools: ToolContext, footage: Footage, settings: CutsSettings): Promise<Task> {
  const { drawnSeconds, seconds, lines } = settings
  const { name, fps, dropped, source: drawn, coding } = footage
  const source = `${name}.mp4`
  const size = `${Math.round((lines * 16) / 18) * 2}x${lines}`
  const left = dropped ? `,select='not(eq(mod(n,${dropped.by}),${dropped.rest}))'` : ''
  const input = ['-f', 'lavfi', '-i', drawn(size, drawnSeconds) + left]
  await ffmpeg(tools, [...input, '-fps_mode', 'vfr', ...coding, source])
  if (seconds > drawnSeconds) await repeat(tools, source, Math.ceil(seconds / drawnSeconds))
  const facts = await measureMedia(tools, { path: source, field: source, maxSeconds: 1e6 })
  const removed = partsToCut(settings, footage)
  const length = Math.round(facts.video.endSeconds * fps)
  return { tools, source, facts, fps, removed, kept: keptSpans(removed, length) }
}

/** Joins a film to itself without encoding it. */
async function repeat(tools: ToolContext, name: string, times: number): Promise<void> {
  const once = `once-${name}`
  await rename(path.join(tools.folder, name), path.join(tools.folder, once))
  await writeFile(path.join(tools.folder, 'times.txt'), `file '${once}'\n`.repeat(times))
  await ffmpeg(tools, ['-f', 'concat', '-i', 'times.txt', '-c', 'copy', name])
}

type Exactness = { framesOff: number; sameShare: number; worstDb: number }

/** Compares every picture of a result with the one that was to be kept in its place. */
async function exactnessOf(
  { tools, source, fps, removed }: Task,
  name: string,
  expected: number,
): Promise<Exactness> {
  const graph = [
    `[0:v]settb=1/${fps},select='${keepExpression(removed, 'pts')}',settb=1/25,setpts=N[a]`,
    '[1:v]settb=1/25,setpts=N[b]',
    '[a][b]psnr=stats_file=-:eof_action=endall',
  ].join(';')
  const inputs = ['-i', source, '-i', name]
  const said = await ffmpeg(tools, [
    ...inputs,
    '-lavfi',
    graph,
    '-fps_mode',
    'passthrough',
    '-f',
    'null',
    '-',
  ])
  const decibels = Array.from(said.matchAll(/psnr_avg:(\S+)/g), ([, text]) =>
    text === 'inf' ? Number.POSITIVE_INFINITY : Number(text),
  )
  const { stdout } = await readTool(tools, 'ffprobe', [
    ...['-v', 'error', '-select_streams', 'v', '-count_frames'],
    ...['-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', name],
  ])
  return {
    framesOff: Number.parseInt(stdout, 10) - expected,
    sameShare: decibels.filter((one) => one === Number.POSITIVE_INFINITY).length / expected,
    worstDb: Math.min(...decibels),
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
