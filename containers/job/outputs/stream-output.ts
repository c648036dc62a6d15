import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { loadOf } from '../report/encoding-effort.ts'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { namedKind, partKind } from '../../../worker/contract/job/media-job.ts'
import { isHls } from '../../../worker/contract/options/outputs/output-hls.ts'
import { limits } from '../../../worker/contract/limits.ts'
import type { Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { readResult } from '../../errors/broken-result.ts'
import { measureMedia } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { captionName, type CaptionFile } from '../../render/captions/embed-captions.ts'
import { isSameSize } from '../../render/frame/frame-shape.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import type { RenderOptions } from '../../render/render-state.ts'
import { ladderOf, sayLeftOut, type Ladder } from '../../render/output/ladder.ts'
import {
  captionsPlaylist,
  filmRendition,
  keysPlaylist,
  masterPlaylist,
  mediaPlaylist,
  soundRendition,
  type HlsStream,
  type StreamedCaptions,
  type StreamedFilm,
} from '../../render/output/playlists.ts'
import { readFragments, type FragmentedFile } from '../../render/output/read-fragments.ts'
import {
  compileStream,
  planStream,
  soundName,
  type StreamPlan,
} from '../../render/output/stream-files.ts'
import { rateText } from '../../timeline/frame-rate.ts'
import type { Video } from '../../timeline/finished-video.ts'
import { progressiveScan } from '../../timeline/scan-facts.ts'
import { secondsLeft } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { roomLeft } from '../disk-room.ts'
import { progressOf, scratchOf, type JobContext } from '../job-context.ts'
import { checkStream } from '../check/stream/check-stream.ts'
import { makeChecked, saferAfter } from '../check/render-checked.ts'
import { addCaptions, type Captioned } from '../plan/add-captions.ts'
import { capsOf } from '../plan/plan-job.ts'
import type { ResultFile } from '../render/finish-output.ts'
import { refuseTruncated } from '../render/run-plan.ts'
import { ladderWork } from '../report/work-ahead.ts'
import type { Work } from '../report/work-kinds.ts'
import { drawnFor } from './as-output.ts'
import { optionsOf } from '../../render/output-options.ts'
import type { MadeOutput } from './made-output.ts'
import { thousandths } from '../../numbers/thousandths.ts'

export const isStreamOutput = ({ outputFormat }: Output): boolean => isHls(outputFormat)

/** The footage of a stream at its largest size, and the list of its sizes. */
export async function openStream(cut: Cut, output: Output, place: number) {
  const ladder = ladderFor(cut, output)
  const drawn = await drawnFor(cut, sizedFor(cut, output, ladder), place)
  const options: RenderOptions = { ...drawn.context.job.options, fps: rateFor(drawn) }
  // A track of captions is cut for a part of the film, which begins with a picture.
  const job = { ...cut.context.job, options }
  return { ladder, sized: await addCaptions({ ...drawn, context: { ...drawn.context, job } }) }
}

/** Renders all sizes of a stream in one run, checks the largest, and writes the playlists that say where their segments lie. */
export async function renderStream(cut: Cut, output: Output, place: number): Promise<MadeOutput> {
  const { ladder, sized } = await openStream(cut, output, place)
  const stem = `stream${place}-`
  const { made, checks } = await makeChecked(sized.context, async (fault) => {
    const own = saferAfter(fault, sized)
    const { plan, ...one } = await makeStream(own, { ladder, output, stem })
    const { durationSeconds: seconds } = plan
    return { made: one, film: one.film, seconds, look: async () => checkStream(own, plan, one) }
  })
  const { film, files, told } = made
  return { files, film, told: { ...told, checks: [...checks] } }
}

export type OpenStream = Awaited<ReturnType<typeof openStream>>

/** How a stream is made, and all that is said of it. */
export function planOpened({ ladder, sized }: OpenStream): StreamPlan {
  const { job, settings } = sized.context
  const plan = planStream(sized, job.options, ladder.rungs, capsOf(settings))
  return { ...plan, warnings: [...sayLeftOut(ladder), ...plan.warnings] }
}

type MakingRung = { readonly ladder: Ladder; readonly output: Output; readonly stem: string }

async function makeStream(sized: Captioned, { ladder, output, stem }: MakingRung) {
  const { context, captionFiles: captions } = sized
  const plan = planOpened({ ladder, sized })
  context.trace.plan(describeStream(plan))
  await encode(context, plan, stem)
  const stream = await readStream(context.tools, plan, { stem, captions })
  const texts = await writeTexts(context.tools, stream, { stem, captions, plan })
  const { rungs, durationSeconds } = plan
  const [{ width, height }] = rungs
  const named = [...texts, ...plan.files.map(({ path: file }) => file)]
  const files = named.map((file) => fileOf(output, file, stem))
  const kinds = files.map(({ kind }) => kind)
  return {
    plan,
    files,
    told: {
      ...{ name: output.name, kind: namedKind(output.name), format: 'hls' },
      files: kinds.filter((kind) => kind !== namedKind(output.name)),
      ...{ width, height, duration: thousandths(durationSeconds) },
      warnings: plan.warnings.slice(0, 200),
    },
    film: await readResult('Its largest size', context.signal, async () =>
      filmOf(context.tools, `${stem}${plan.files[0].path}`),
    ),
    sizes: stream.films.map(({ rendition, rung, list, fragments, stored }) => ({
      ...{ name: stem + rendition.file, list: stem + list, codec: rendition.codec },
      ...{ rung, fragments, stored },
    })),
    sound: stream.sound && { name: stem + soundName, list: stem + stream.sound.list },
  }
}

/** The work of a stream of this footage. */
export function streamWork(cut: Cut, output: Output): Work {
  const { rungs } = ladderFor(cut, output)
  return ladderWork(rungs, loadOf(cut.clips[0].facts), secondsLeft(cut))
}

/** The sizes of a stream of this footage. */
function ladderFor(cut: Cut, output: Output): Ladder {
  const { frame } = shapeClips(cut.clips, optionsOf(cut.context.job.options, output))
  return ladderOf(frame, output.heights)
}

/** The graph of a stream has its largest size, so that nothing is drawn on more pixels than anybody sees. */
function sizedFor(cut: Cut, output: Output, { rungs: [largest] }: Ladder): Output {
  const { frame } = shapeClips(cut.clips, optionsOf(cut.context.job.options, output))
  if (isSameSize(largest, frame)) return output
  // One side alone keeps the shape, and how the picture is fitted into it.
  return frame.width < frame.height
    ? { ...output, width: largest.width }
    : { ...output, height: largest.height }
}

/** The rate that was asked for; of a faster film, every second picture or fewer. */
function rateFor({ timeline, context }: Cut): RenderOptions['fps'] {
  const { fps } = context.job.options
  const { frames, seconds } = timeline.frameRate
  const times = Math.ceil(frames / seconds / (limits.hlsFps + 0.5))
  return fps ?? (times > 1 ? rateText({ frames, seconds: seconds * times }) : undefined)
}

async function encode(context: JobContext, plan: StreamPlan, stem: string): Promise<void> {
  const { settings, tools } = context
  const onProgress = progressOf(context, 'rendering')
  const roomBytes = await roomLeft(scratchOf(context))
  const command = compileStream(plan, stem, capsOf(settings, roomBytes))
  await runFfmpeg(tools, command, ({ outSeconds }) =>
    onProgress(outSeconds / Math.max(plan.durationSeconds, 0.001)),
  )
  const names = plan.files.map((file) => stem + file.path)
  await refuseTruncated(context, roomBytes, names)
}

type StreamFiles = { readonly stem: string; readonly captions: readonly CaptionFile[] }

/** A size of a stream, with what its file says. */
type ReadFragments = StreamedFilm & Pick<FragmentedFile, 'fragments' | 'stored'>

/** Finds the segments of all files. */
async function readStream(
  tools: ToolContext,
  plan: StreamPlan,
  { stem, captions }: StreamFiles,
): Promise<Omit<HlsStream, 'films'> & { readonly films: readonly ReadFragments[] }> {
  const films: ReadFragments[] = []
  let sound: FragmentedFile | undefined
  for (const { path: file, rung } of plan.files) {
    const what = rung ? `Its size of ${rung.width} × ${rung.height}` : 'The file of its sound'
    const { rendition, ...read } = await readResult(what, tools.signal, async () => {
      const fragments = await readFragments(path.join(tools.folder, stem + file))
      return { ...fragments, rendition: rung && filmRendition(file, fragments) }
    })
    if (rung && rendition) films.push({ rung, rendition, list: listOf(file), ...read })
    else sound = read
  }
  const [first] = films
  const smallest = films.at(-1)
  if (!first || !smallest) throw new Error('A stream without films')
  const { segments } = first.rendition
  return {
    films,
    fps: plan.fps,
    sound: sound && {
      rendition: soundRendition(soundName, sound, segments),
      list: listOf(soundName),
      channels: plan.channels,
    },
    captions: captions.map((one, i) => ({ ...nameOf(one), list: listOf(captionName(i)) })),
    keys: { film: smallest, list: keysName, fragments: smallest.fragments },
  }
}

const keysName = 'keys.m3u8'

/** The name of a playlist, with the extension of its kind of file: it differs from the name of the file that it lists. */
function listOf(file: string): string {
  return `${file.split('.')[0]}list.m3u8`
}

/** The name of the captions in a player's menu: that of their language, in that language. */
function nameOf({ tag }: CaptionFile): Pick<StreamedCaptions, 'language' | 'name'> {
  const name = tag && new Intl.DisplayNames([tag], { type: 'language' }).of(tag)
  return { language: tag, name: (name ?? 'Captions').replaceAll('"', "'") }
}

/** Writes the playlists and the captions into the job folder; players open the first of these files. */
async function writeTexts(
  tools: ToolContext,
  stream: HlsStream,
  { stem, captions, plan }: StreamFiles & { readonly plan: StreamPlan },
): Promise<string[]> {
  const { films, sound, keys } = stream
  const texts = new Map([
    ['index.m3u8', masterPlaylist(stream)],
    ...[...films, ...(sound ? [sound] : [])].map(
      ({ list, rendition }) => [list, mediaPlaylist(rendition)] as const,
    ),
    [keys.list, keysPlaylist(keys.film.rendition, keys.fragments)],
  ])
  for (const [i, { text }] of captions.entries()) {
    const name = captionName(i)
    texts.set(name, timedFromZero(text))
    texts.set(listOf(name), captionsPlaylist(name, plan.durationSeconds))
  }
  for (const [name, text] of texts) await writeFile(path.join(tools.folder, stem + name), text)
  return [...texts.keys()]
}

/** States that the captions count from the first picture, as the films do. */
function timedFromZero(text: string): string {
  return text.replace(/^WEBVTT\n/, 'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n')
}

/** The types of its files if they are not the usual ones for their extensions. */
const ownTypes: Readonly<Record<string, string>> = { [soundName]: 'audio/mp4', vtt: 'text/vtt' }

function fileOf({ name }: Output, file: string, stem: string): ResultFile {
  const [part = '', extension = ''] = file.split('.')
  const kind = part === 'index' ? namedKind(name) : partKind(name, part)
  const contentType = ownTypes[file] ?? ownTypes[extension]
  return { file: stem + file, kind, extension, ...(contentType && { contentType }) }
}

/** The facts of a film that this job has just written, at a steady rate. */
async function filmOf(tools: ToolContext, name: string): Promise<Video> {
  const maxSeconds = Number.POSITIVE_INFINITY
  const shape = { isOurs: true, isResult: true, scan: progressiveScan }
  return {
    name,
    facts: await measureMedia(tools, { path: name, field: 'result', maxSeconds, ...shape }),
  }
}

/** The plan as stored with the attempt, for people to read. */
function describeStream({ rungs, fps, durationSeconds, steps, cuts, channels }: StreamPlan) {
  const sizes = rungs.map(({ width, height }) => `${width} × ${height}`)
  const audio = channels > 0 ? 'encode' : 'none'
  return {
    ...{ format: 'hls', video: 'encode', audio, sizes, fps, durationSeconds },
    ...{ steps: [...steps], cuts },
  }
}
