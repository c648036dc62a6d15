import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { readTool, type ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { keptSpans } from '../../containers/timeline/frame-spans.ts'
import { keepExpression } from '../../containers/timeline/keep-expression.ts'
import { benchmark, say, type Run } from '../benchmark.ts'
import { timed } from '../machine.ts'
import { allCores, ffmpeg } from '../tools-in.ts'
import { drawFilm, footages, partsToCut, presentIn, type Footage } from './footage.ts'
import { shareOfTransition } from './join-clips.ts'
import { cutAsStored, encodeOnce, type Task } from './ways.ts'

const limits = { ratio: 5, worstDb: 40, transitionShare: 0.05 }
const transitionMinutes = 10
const lines = 1_080

type CutOptions = { seconds: number; cuts: number }

export const cuts = benchmark({
  summary: 'cuts that copy what is stored against an encode: speed and exactness',
  takes: 'six minutes',
  about: `Cuts two kinds of footage as it is stored, with encoded seams and their proof, and by one encode with our own settings.
Shows how long each takes, how much processor time, and how exact it is. Then two long clips are joined in a crossfade.`,
  numbers: {
    seconds: { fallback: 60, min: 10, max: 3_600, means: 'length of the footage' },
    cuts: { fallback: 5, min: 1, max: 200, means: 'how many parts are cut out' },
  },
  async measure(asked, run) {
    const tools = allCores(run)
    say('footage   way         seconds  processor s  frames off  same frames  worst dB')
    for (const footage of footages) await compare(await taskOf(tools, footage, asked), run)
    await compareTransition(tools, run)
  },
})

async function compare({ footage, ...task }: CutTask, { judge }: Run): Promise<void> {
  const expected = presentIn(footage, task.kept)
  const judged = async (way: string, name: string, work: typeof cutAsStored) => {
    const { made: said, seconds, processor } = await timed(async () => work(task))
    const { framesOff, sameShare, worstDb } = await exactnessOf(task, name, expected)
    const cells = [
      footage.name.padEnd(8),
      way.padEnd(10),
      seconds.toFixed(1).padStart(8),
      processor.toFixed(1).padStart(11),
      String(framesOff).padStart(10),
      `${(sameShare * 100).toFixed(1)} %`.padStart(11),
      (Number.isFinite(worstDb) ? worstDb.toFixed(1) : '–').padStart(8),
    ]
    say([...cells, said].join('  '))
    return { seconds, processor, framesOff, worstDb }
  }
  const stored = await judged('as stored', 'stored.mp4', cutAsStored)
  const encoded = await judged('one encode', 'encoded.mp4', encodeOnce)
  const faster = encoded.seconds / stored.seconds
  const less = encoded.processor / stored.processor
  const figure = `${footage.name}: the encode takes ${less.toFixed(1)} times the processor time, ${faster.toFixed(1)} times as long`
  judge(figure, `at least ${limits.ratio} times the processor time`, less >= limits.ratio)
  const isExact = stored.framesOff === 0 && stored.worstDb >= limits.worstDb
  judge(`${footage.name}: exact`, `no frame off, ${limits.worstDb} dB`, isExact)
}

/** Two clips of ten minutes, of a short one that is repeated as it is stored. */
async function compareTransition(tools: ToolContext, { judge }: Run): Promise<void> {
  const [camera] = footages
  if (!camera) throw new Error('There is no footage')
  const seconds = 10
  const times = (transitionMinutes * 60) / seconds
  const [long, short] = ['long.mp4', 'short.mp4']
  await drawFilm(tools, camera, { name: short, seconds, lines })
  await writeFile(path.join(tools.folder, 'times.txt'), `file '${short}'\n`.repeat(times))
  await ffmpeg(tools, ['-f', 'concat', '-i', 'times.txt', '-c', 'copy', long])
  const share = await shareOfTransition(tools, { short, long, times })
  const most = limits.transitionShare
  const figure = `a transition between two clips of ${transitionMinutes} minutes: ${(share * 100).toFixed(1)} % of an encode`
  judge(figure, `at most ${most * 100} %`, share <= most)
}

type CutTask = Task & { readonly footage: Footage }

async function taskOf(tools: ToolContext, footage: Footage, asked: CutOptions): Promise<CutTask> {
  const { name, fps } = footage
  const source = `${name}.mp4`
  await drawFilm(tools, footage, { name: source, seconds: asked.seconds, lines })
  const facts = await measureMedia(tools, { path: source, field: source, maxSeconds: 1e6 })
  const removed = partsToCut(asked, footage)
  const length = Math.round(facts.video.endSeconds * fps)
  return { tools, source, facts, fps, footage, removed, kept: keptSpans(removed, length) }
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
  const said = await ffmpeg(tools, [
    ...['-i', source, '-i', name, '-lavfi', graph],
    ...['-fps_mode', 'passthrough', '-f', 'null', '-'],
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
