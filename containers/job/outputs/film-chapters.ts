import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import path from 'node:path'
import { readFile, stat, writeFile, rename, rm } from 'node:fs/promises'
import { partKind } from '../../../worker/contract/job/media-job.ts'
import type { Chapter } from '../../../worker/contract/job/report.ts'
import { isHls } from '../../../worker/contract/options/outputs/output-hls.ts'
import { cutsOf } from '../../insight/carry/plan-hearing.ts'
import { leastSeconds } from '../../insight/moments/subjects.ts'
import { hlsChapters, withChapters } from '../../render/output/playlists.ts'
import { secondsLeft, type CutTimeline } from '../../timeline/list-cuts.ts'
import type { Video } from '../../timeline/finished-video.ts'
import { finishedTime, keptTime } from '../../timeline/timeline.ts'
import type { FoundMoments } from '../hear/find-moments.ts'
import type { JobContext } from '../job-context.ts'
import type { VideoWithThumbnail } from '../render/finish-output.ts'
import { cutOf } from './cut-clips.ts'
import type { MadeOutput } from './made-output.ts'
import { optionsOf } from '../../render/output-options.ts'
import type { RenderedResults } from './render-results.ts'
import { JobError } from '../../errors/job-error.ts'
import { stackOf, type Log } from '../../errors/log.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { writingGlobals, guardedInput } from '../../graph/compile-args.ts'
import { muxingOf } from '../../render/output/encoding.ts'

/** Looks for moments in what is said, in a film of this length. */
type FindMoments = (durationSeconds: number) => Promise<FoundMoments>

/** The same results, with chapters in those that can hold them; a part of the film has the chapters of that part. */
export async function resultsWithChapters(
  results: RenderedResults,
  find: FindMoments,
): Promise<RenderedResults> {
  const { cut, outputs, seconds } = results
  const { options } = cut.context.job
  if (!options.chapters || !results.made.some(mayList)) return results
  const { moments, language = 'und' } = await find(seconds)
  const { chapters: found = [] } = moments ?? {}
  const made: MadeOutput[] = []
  for (const one of results.made) {
    const output = outputs.find(({ name }) => name === one.told.name)
    const own = output && cutOf(results, output)
    const { startTime: from = 0 } = output ?? {}
    const chapters = own?.isClip ? inClip(found, cut, own) : found
    const to = from + (one.told.duration ?? 0)
    const { maxBytes } = output ? optionsOf(options, output) : options
    const span = { from, to, mostBytes: maxBytes ?? cut.context.settings.MAX_OUTPUT_BYTES }
    const listed = { ...span, chapters, language }
    made.push(chapters.length === 0 ? one : await withOwn(cut.context, one, listed))
  }
  return { ...results, made, first: storedIn(made, results.first) }
}

/** The first video as it is stored now. */
function storedIn(
  made: readonly MadeOutput[],
  first: VideoWithThumbnail | undefined,
): VideoWithThumbnail | undefined {
  const stored = made.find(({ film }) => film && film.name === first?.video.name)?.film
  return first && stored ? { ...first, video: { ...first.video, facts: stored.facts } } : first
}

/** A film with the size of its file as it is now. */
async function asStored(tools: ToolContext, film: Video): Promise<Video> {
  const { size } = await stat(path.join(tools.folder, film.name))
  return { ...film, facts: { ...film.facts, sizeBytes: size } }
}

/** The chapters in the time of a clip; none if it lies within one chapter. */
function inClip(chapters: readonly Chapter[], cut: CutTimeline, clip: CutTimeline): Chapter[] {
  const [whole, own] = [cutsOf(cut).all, cutsOf(clip).all]
  const placed = chapters.map(({ startTime, title }) => {
    const moment = whole.momentAt(keptTime(startTime, cut.timeline))
    return { startTime: finishedTime(own.placeOf(moment), clip.timeline), title }
  })
  const seconds = secondsLeft(clip)
  return placed.some(({ startTime }) => startTime > 0 && startTime < seconds) ? placed : []
}

type ChapterList = {
  readonly chapters: readonly Chapter[]
  readonly language: string
  readonly from: number
  readonly to: number
  readonly mostBytes: number
}

async function withOwn(
  context: JobContext,
  one: MadeOutput,
  { chapters, language, ...span }: ChapterList,
): Promise<MadeOutput> {
  const [file] = one.files
  const { format, name } = one.told
  if (!file) return one
  if (isHls(format)) {
    const texts = { folder: context.tools.folder, index: file.file }
    const listed = await listInStream(texts, chaptersIn(chapters, span), language)
    const kind = partKind(name, 'chapters')
    const added = { file: listed, kind, extension: 'json' }
    const told = { ...one.told, files: [...(one.told.files ?? []), kind] }
    return { files: [...one.files, added], told }
  }
  if (!holdsChapters(format)) return one
  const warning = await addChapters(context, { name: file.file, format, ...span }, chapters)
  const warnings = [...one.told.warnings, ...(warning === undefined ? [] : [warning])]
  const film = one.film && (await asStored(context.tools, one.film))
  return { ...one, ...(film && { film }), told: { ...one.told, warnings } }
}

/** Writes the chapters beside the playlists, and their name into the first of these; returns the file. */
async function listInStream(
  { folder, index }: { readonly folder: string; readonly index: string },
  chapters: readonly TimedChapter[],
  language: string,
): Promise<string> {
  const file = index.replace('index.m3u8', 'chapters.json')
  const master = path.join(folder, index)
  await writeFile(path.join(folder, file), hlsChapters(chapters, language))
  await writeFile(master, withChapters(await readFile(master, 'utf8'), 'chapters.json'))
  return file
}

const mayList = ({ told: { format } }: MadeOutput) => isHls(format) || holdsChapters(format)

/** Formats whose players list chapters. */
const formats = ['mp4', 'mov', 'webm'] as const
type ChapterFormat = (typeof formats)[number]

function holdsChapters(format: string): format is ChapterFormat {
  return formats.some((one) => one === format)
}

type ChapteredFilm = {
  /** In the job folder. */
  readonly name: string
  readonly format: ChapterFormat
  /** The part that the film shows, in the time of the chapters. */
  readonly from: number
  readonly to: number
  readonly mostBytes: number
}

type ChapterContext = Pick<JobContext, 'tools'> & {
  readonly log: (...line: Parameters<Log>) => void
}

/**
 * Writes chapters into a finished film, leaving its pictures and sound as they are. Returns a warning if that failed: a film
 * without chapters is better than none.
 */
export async function addChapters(
  { tools, log }: ChapterContext,
  { name, format, mostBytes, ...span }: ChapteredFilm,
  chapters: readonly Chapter[],
): Promise<string | undefined> {
  const list = { path: `${name}.chapters`, text: chapterList(chaptersIn(chapters, span)) }
  const made = `${name}.listed`
  const args = [
    ...writingGlobals,
    ...[...guardedInput(name, demuxers[format]), ...guardedInput(list.path, 'ffmetadata')],
    ...['-map', '0', '-c', 'copy', '-map_chapters', '1', ...muxingOf(format), `file:${made}`],
  ]
  const pathOf = (file: string): string => path.join(tools.folder, file)
  try {
    await runFfmpeg(tools, { args, files: [list] })
    if ((await stat(pathOf(made))).size > mostBytes) {
      return 'chapters: left out of the file, which would be larger than it may be.'
    }
    await rename(pathOf(made), pathOf(name))
    return undefined
  } catch (error) {
    tools.signal.throwIfAborted()
    if (!(error instanceof JobError)) throw error
    log('error', 'Chapters could not be written', { fault: stackOf(error) })
    return 'chapters: left out of the file, because they could not be written into it.'
  } finally {
    await Promise.all([made, list.path].map(async (file) => rm(pathOf(file), { force: true })))
  }
}

/** In milliseconds of a film. */
type TimedChapter = { readonly start: number; readonly end: number; readonly title: string }

/** Times of the finished film may be off by the length of a picture. */
const shortest = leastSeconds * 1_000 - 100

/**
 * The chapters of a part of the film, in its own time. If only a few seconds are left of one at the beginning or end of the
 * part, its neighbour takes them: players do not list such short chapters, or list no chapters at all.
 */
function chaptersIn(
  chapters: readonly Chapter[],
  { from, to }: { from: number; to: number },
): TimedChapter[] {
  const ms = (seconds: number): number => Math.round((seconds - from) * 1_000)
  const shown = chapters.flatMap(({ startTime, title }, i) => {
    const start = Math.max(from, startTime)
    const end = Math.min(to, chapters[i + 1]?.startTime ?? to)
    return end <= start ? [] : [{ start: ms(start), end: ms(end), title }]
  })
  const listed: TimedChapter[] = []
  for (const chapter of shown) {
    const before = listed.at(-1)
    if (before && before.end - before.start < shortest) {
      listed.splice(-1, 1, { ...chapter, start: before.start })
    } else if (before && chapter.end - chapter.start < shortest) {
      listed.splice(-1, 1, { ...before, end: chapter.end })
    } else listed.push(chapter)
  }
  return listed
}

/** The chapters in the format of ffmpeg. */
function chapterList(chapters: readonly TimedChapter[]): string {
  const entries = chapters.flatMap(({ start, end, title }) => [
    ...['[CHAPTER]', 'TIMEBASE=1/1000', `START=${start}`, `END=${end}`],
    `title=${title.replace(/[=;#\\\n]/g, '\\$&')}`,
  ])
  return [';FFMETADATA1', ...entries, ''].join('\n')
}
