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
const formats = ['mp4', 'mov'] as const
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
  const list = { path: `${name}.chapters`, text: chapterList(chapters, span) }
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

/** In the format of ffmpeg, with the times of the film. The chapter that goes on where the film begins is its first. */
function chapterList(chapters: readonly Chapter[], { from, to }: { from: number; to: number }) {
  const ms = (seconds: number): number => Math.round((seconds - from) * 1_000)
  const entries = chapters.flatMap(({ startTime, title }, i) => {
    const start = Math.max(from, startTime)
    const end = Math.min(to, chapters[i + 1]?.startTime ?? to)
    if (end <= start) return []
    const times = [`START=${ms(start)}`, `END=${ms(end)}`]
    return [
      '[CHAPTER]',
      'TIMEBASE=1/1000',
      ...times,
      `title=${title.replace(/[=;#\\\n]/g, '\\$&')}`,
    ]
  })
  return [';FFMETADATA1', ...entries, ''].join('\n')
}
