import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../containers/ffmpeg/process/run-ffmpeg.ts'
import { divideFilm, renderInParts } from '../../containers/job/render/render-in-parts.ts'
import { renderPart } from '../../containers/parts/make/render-part.ts'
import type { PartCarrier } from '../../containers/parts/part-carrier.ts'
import { openClip } from '../../containers/render/frame/open-clip.ts'
import { compilePlan, type RenderPlan } from '../../containers/render/plan-render.ts'
import { carriedBy, plannedFilm } from '../../test/support/containers/films/film-parts.ts'
import { planClips } from '../../test/support/containers/films/plan-clips.ts'
import { optionsSchema } from '../../worker/contract/options/options.ts'
import { benchmark, say } from '../benchmark.ts'
import { drawFilm, footages } from '../cuts/footage.ts'
import { timed, type Timed } from '../machine.ts'
import { ffmpeg, toolsIn } from '../tools-in.ts'

/** Of processor time, of the ideal speed, and in decibels against the film that is made whole. */
const limits = { ratio: 1.12, speed: 0.85, meanDb: -0.1, worstDb: -3.5 }
const fps = 30

export const parts = benchmark({
  summary: 'a film in parts against the film made whole: processor time, speed, look at the seams',
  takes: 'four minutes',
  about: `Renders a film whole and in parts, each part by a media worker with one thread. Compares their processor time, how long
they take, and how near the pictures around the seams come to those of the source.`,
  numbers: {
    seconds: { fallback: 60, min: 20, max: 3_600, means: 'length of the film' },
    lines: { fallback: 540, min: 90, max: 2_160, means: 'height of the picture' },
    workers: { fallback: 2, min: 2, max: 64, means: 'media workers that render parts' },
  },
  async measure({ seconds, lines, workers }, run) {
    const { judge } = run
    const tools = toolsIn(run)
    const film = await filmOf(tools, seconds, lines)
    const whole = await timed(async () => renderWhole(tools, film.plan, 'whole.mp4'))
    const wholes = await timed(async () => renderWholes(film, workers))
    const divided = await timed(async () => renderDivided(film, workers))
    const { seams, name } = divided.made
    say(`${seams.length + 1} parts; whole ${inSeconds(whole)}, in parts ${inSeconds(divided)}`)
    say(`${workers} times whole, side by side: ${inSeconds(wholes)}`)
    const ratio = (divided.processor * workers) / wholes.processor
    judge(`processor time ${ratio.toFixed(2)}`, `at most ${limits.ratio}`, ratio <= limits.ratio)
    const speed = wholes.seconds / workers / divided.seconds
    judge(
      `${workers} media workers do ${speed.toFixed(2)} of what they do with whole films`,
      `${limits.speed}, where nothing else runs`,
      speed >= limits.speed,
    )
    await judgeSeams(tools, { whole: whole.made, parted: name, seams }, judge)
  },
})

type Film = Parameters<typeof plannedFilm>[0]

async function filmOf(tools: ToolContext, seconds: number, lines: number): Promise<Film> {
  const [camera] = footages
  if (!camera) throw new Error('There is no footage')
  await drawFilm(tools, camera, { name: 'in0', seconds, lines })
  const facts = await measureMedia(tools, { path: 'in0', field: 'in0', maxSeconds: 1e6 })
  const clips = [openClip('in0', facts, {})] as const
  const options = optionsSchema.parse({ rotate: 180, compressionQuality: 80 })
  const { threads, maxPixels } = tools
  const plan = planClips(clips, options, { threads, maxPixels, maxOutputBytes: 1e12 })
  return { tools: { ...tools, commands: [] }, clips, plan }
}

async function renderWhole(tools: ToolContext, plan: RenderPlan, name: string): Promise<string> {
  const { threads, maxPixels } = tools
  const caps = { threads, maxPixels, maxOutputBytes: 1e12 }
  await runFfmpeg(tools, compilePlan(plan, name, caps), () => undefined)
  // A job measures every result.
  const request = { field: 'result', maxSeconds: 1e6, isOurs: true, isResult: true }
  await measureMedia(tools, { path: name, ...request })
  return name
}

/** As many films as there are media workers: cores that share a cache or a clock slow each other down, in parts or not. */
async function renderWholes({ tools, plan }: Film, workers: number): Promise<void> {
  const names = Array.from({ length: workers }, (_, i) => `beside${i}.mp4`)
  await Promise.all(names.map(async (name) => renderWhole(tools, plan, name)))
}

async function renderDivided(film: Film, workers: number) {
  const run: PartCarrier['run'] = async ({ n, spec }, signal, onProgress) => ({
    n,
    ...(await renderPart({ ...film.tools, signal }, spec, onProgress)),
  })
  const planned = plannedFilm(film, carriedBy(workers - 1, run))
  const choice = await divideFilm(planned, film.plan)
  if (!choice || 'whole' in choice) throw new Error(choice?.whole ?? 'It is not encoded')
  const { division } = choice
  const made = await renderInParts(planned.context, film.plan, division, {
    onWritten: () => 0,
    stem: 'out',
  })
  if ('why' in made) throw new Error(made.why)
  const seams = division.parts.spans.slice(1).map(({ from }) => from)
  return { name: made.result.name, seams }
}

function inSeconds({ seconds, processor }: Timed<unknown>): string {
  return `${seconds.toFixed(1)} s (${processor.toFixed(1)} processor s)`
}

type Compared = { whole: string; parted: string; seams: readonly number[] }

/** How many pictures on either side of a seam are compared. */
const aroundSeam = 10

async function judgeSeams(
  tools: ToolContext,
  { whole, parted, seams }: Compared,
  judge: (figure: string, limit: string, isKept: boolean) => void,
): Promise<void> {
  const [ofWhole, ofParts] = [await likenessOf(tools, whole), await likenessOf(tools, parted)]
  judge(`${ofParts.length} pictures`, `${ofWhole.length}`, ofParts.length === ofWhole.length)
  const differences = seams.flatMap((seam) =>
    Array.from({ length: 2 * aroundSeam }, (_, i) => {
      const picture = seam - aroundSeam + i
      return (ofParts[picture] ?? 0) - (ofWhole[picture] ?? 0)
    }),
  )
  const mean = differences.reduce((sum, one) => sum + one, 0) / Math.max(1, differences.length)
  const worst = Math.min(...differences)
  judge(`around seams ${mean.toFixed(2)} dB`, `${limits.meanDb} dB`, mean >= limits.meanDb)
  judge(`worst ${worst.toFixed(2)} dB`, `${limits.worstDb} dB`, worst >= limits.worstDb)
}

/** The PSNR of the luma of each picture, against the source. */
async function likenessOf(tools: ToolContext, name: string): Promise<number[]> {
  const graph = `[0:v]hflip,vflip,settb=1/${fps},setpts=N[a];[1:v]settb=1/${fps},setpts=N[b];[a][b]psnr=stats_file=-`
  const said = await ffmpeg(tools, [
    ...['-i', 'in0', '-i', name, '-lavfi', graph],
    ...['-fps_mode', 'passthrough', '-f', 'null', '-'],
  ])
  return Array.from(said.matchAll(/psnr_y:(\S+)/g), ([, text]) => Number(text))
}
