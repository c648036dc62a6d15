import path from 'node:path'
import { readFile, stat, writeFile, rename, rm } from 'node:fs/promises'
import { partKind } from '../../../worker/contract/job/media-job.ts'
import type { Chapter } from '../../../worker/contract/job/report.ts'
import { isHls } from '../../../worker/contract/options/outputs/output-hls.ts'
import type { Output } from '../../../worker/contract/options/outputs/outputs.ts'
import { cutsOf } from '../../insight/carry/plan-hearing.ts'
import { hlsChapters, withChapters } from '../../render/output/playlists.ts'
import { secondsLeft, type CutTimeline } from '../../timeline/list-cuts.ts'
import type { Video } from '../../timeline/finished-video.ts'
import { finishedTime, keptTime } from '../../timeline/timeline.ts'
import type { FoundMoments } from '../hear/find-moments.ts'
import type { JobContext } from '../job-context.ts'
import type { MadeOutput } from '../outputs/made-output.ts'
import type { Rendered } from './run-plan.ts'
import { JobError } from '../../errors/job-error.ts'
import { stackOf, type Log } from '../../errors/log.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { muxingOf } from '../../render/output/encoding.ts'

type Find = (durationSeconds: number) => Promise<FoundMoments>

/** The film with its chapters, if it is to have some. */
export async function filmWithChapters<Film extends Rendered>(
  context: JobContext,
  film: Film,
  find: Find,
): Promise<Film> {
  const { options } = context.job
  const { plan, facts, name } = film
  if (!options.chapters || !holdsChapters(plan.format)) return film
  const { durationSeconds } = facts
  const { chapters = [] } = (await find(durationSeconds)).moments ?? {}
  if (chapters.length === 0) return film
  const mostBytes = options.maxBytes ?? context.settings.MAX_OUTPUT_BYTES
  const place = { name, format: plan.format, from: 0, to: durationSeconds, mostBytes }
  const warning = await addChapters(context, place, chapters)
  const warnings = warning === undefined ? plan.warnings : [...plan.warnings, warning]
  return { ...(await asStored(context, film)), plan: { ...plan, warnings } }
}

/** A film with the size of its file as it is now. */
async function asStored<Film extends Video>({ tools }: JobContext, film: Film): Promise<Film> {
  const { size } = await stat(path.join(tools.folder, film.name))
  return { ...film, facts: { ...film.facts, sizeBytes: size } }
}

type Made = {
  readonly made: readonly MadeOutput[]
  readonly outputs: readonly Output[]
  readonly durationSeconds: number
  /** The whole, and the clips by the names of their outputs. */
  readonly cut: CutTimeline
  readonly clips: ReadonlyMap<string, CutTimeline>
}

/** The same for the films and streams among several outputs; a part of the film has the chapters of that part. */
export async function outputsWithChapters(
  context: JobContext,
  { made, outputs, durationSeconds, cut, clips }: Made,
  find: Find,
): Promise<MadeOutput[]> {
  if (!context.job.options.chapters) return [...made]
  const { moments, language = 'und' } = await find(durationSeconds)
  const { chapters: found = [] } = moments ?? {}
  const all: MadeOutput[] = []
  for (const one of made) {
    const output = outputs.find(({ name }) => name === one.told.name)
    const clip = clips.get(one.told.name)
    const { startTime: from = 0, maxBytes } = output ?? {}
    const chapters = clip ? inClip(found, cut, clip) : found
    const to = from + (one.told.duration ?? 0)
    const span = { from, to, mostBytes: maxBytes ?? context.settings.MAX_OUTPUT_BYTES }
    all.push(
      chapters.length === 0 ? one : await withOwn(context, one, { ...span, chapters, language }),
    )
  }
  return all
}

/** Chapters in the time of a clip; none if it lies in a single one. */
function inClip(chapters: readonly Chapter[], cut: CutTimeline, clip: CutTimeline): Chapter[] {
  const [whole, own] = [cutsOf(cut).all, cutsOf(clip).all]
  const placed = chapters.map(({ startTime, title }) => {
    const moment = whole.momentAt(keptTime(startTime, cut.timeline))
    return { startTime: finishedTime(own.placeOf(moment), clip.timeline), title }
  })
  const seconds = secondsLeft(clip)
  return placed.some(({ startTime }) => startTime > 0 && startTime < seconds) ? placed : []
}

type Listed = {
  readonly chapters: readonly Chapter[]
  readonly language: string
  readonly from: number
  readonly to: number
  readonly mostBytes: number
}

async function withOwn(
  context: JobContext,
  one: MadeOutput,
  { chapters, language, ...span }: Listed,
): Promise<MadeOutput> {
  const [file] = one.files
  const { format, name } = one.told
  if (!file) return one
  if (isHls(format)) {
    const texts = { folder: context.tools.folder, index: file.file }
    const listed = await listInStream(texts, chaptersIn(chapters, span), language)
    const kind = partKind(name, 'chapters')
    const added = { file: listed, kind, extension: 'json', contentType: 'application/json' }
    const told = { ...one.told, files: [...(one.told.files ?? []), kind] }
    return { files: [...one.files, added], told }
  }
  if (!holdsChapters(format)) return one
  const warning = await addChapters(context, { name: file.file, format, ...span }, chapters)
  const warnings = [...one.told.warnings, ...(warning === undefined ? [] : [warning])]
  const film = one.film && (await asStored(context, one.film))
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

/** Formats whose players list chapters. */
const formats = ['mp4', 'mov', 'webm'] as const
type ChapterFormat = (typeof formats)[number]

function holdsChapters(format: string): format is ChapterFormat {
  return formats.some((one) => one === format)
}

type Film = {
  /** In the job folder. */
  readonly name: string
  readonly format: ChapterFormat
  /** What the film shows, in the time of the chapters. */
  readonly from: number
  readonly to: number
  readonly mostBytes: number
}

type Context = Pick<JobContext, 'tools'> & {
  readonly log: (...line: Parameters<Log>) => void
}

/**
 * Writes chapters into a finished film, whose pictures and sound stay as they are. Returns a warning if they had to be left out: a
 * film without chapters is better than none.
 */
export async function addChapters(
  { tools, log }: Context,
  { name, format, mostBytes, ...span }: Film,
  chapters: readonly Chapter[],
): Promise<string | undefined> {
  const list = { path: `${name}.chapters`, text: chapterList(chaptersIn(chapters, span)) }
  const made = `${name}.listed`
  const args = [
    ...[...guardedGlobals, '-y', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...[...guardedInput(name, demuxers[format]), ...guardedInput(list.path, 'ffmetadata')],
    ...['-map', '0', '-c', 'copy', '-map_chapters', '1', ...muxingOf(format), `file:${made}`],
  ]
  const pathOf = (file: string): string => path.join(tools.folder, file)
  try {
    await runFfmpeg(tools, { args, files: [list] }, () => undefined)
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

/** The chapters of a part of the film, in its own time. A chapter that is under way when the part begins comes first. */
function chaptersIn(
  chapters: readonly Chapter[],
  { from, to }: { from: number; to: number },
): TimedChapter[] {
  const ms = (seconds: number): number => Math.round((seconds - from) * 1_000)
  return chapters.flatMap(({ startTime, title }, i) => {
    const start = Math.max(from, startTime)
    const end = Math.min(to, chapters[i + 1]?.startTime ?? to)
    return end <= start ? [] : [{ start: ms(start), end: ms(end), title }]
  })
}

/** In the format of ffmpeg. */
function chapterList(chapters: readonly TimedChapter[]): string {
  const entries = chapters.flatMap(({ start, end, title }) => {
    const times = [`START=${start}`, `END=${end}`]
    return [
      '[CHAPTER]',
      'TIMEBASE=1/1000',
      ...times,
      `title=${title.replace(/[=;#\\\n]/g, '\\$&')}`,
    ]
  })
  return [';FFMETADATA1', ...entries, ''].join('\n')
}
