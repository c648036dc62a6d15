import { rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Chapter } from '../../../worker/contract/job/report.ts'
import { JobError } from '../../errors/job-error.ts'
import { stackOf, type Log } from '../../errors/log.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { muxingOf } from '../../render/output/encoding.ts'
import type { JobContext } from '../job-context.ts'

/** Formats whose players list chapters. */
const formats = ['mp4', 'mov', 'webm'] as const
type ChapterFormat = (typeof formats)[number]

export function holdsChapters(format: string): format is ChapterFormat {
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
export type TimedChapter = { readonly start: number; readonly end: number; readonly title: string }

/** Chapters in the time of a film that shows a part. The chapter that goes on where the film begins is its first. */
export function chaptersIn(
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
