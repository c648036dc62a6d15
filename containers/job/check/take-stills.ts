import { stillKinds, type Check } from '../../../worker/contract/job/check.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { readTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { stackOf } from '../../errors/log.ts'
import type { Video } from '../../timeline/finished-video.ts'
import type { JobContext } from '../job-context.ts'
import type { ResultFile } from '../render/finish-output.ts'

type Checked = { readonly film: Video | undefined; readonly checks: readonly Check[] | undefined }
type WithStills = {
  /** The checks of each film, in the same order; those with a still name it. */
  readonly checks: readonly (Check[] | undefined)[]
  readonly stills: readonly ResultFile[]
}

/** Takes a picture of each film where a check was not passed, a few for all films together. */
export async function takeStills(
  { tools, log }: Pick<JobContext, 'tools' | 'log'>,
  judged: readonly Checked[],
): Promise<WithStills> {
  const stills: ResultFile[] = []
  const still = async (film: Video, one: Check): Promise<Check> => {
    const kind = stillKinds[stills.length]
    if (one.result === 'passed' || !one.stretch || kind === undefined) return one
    try {
      const file = await takeStill(tools, film, { at: momentOf(film, one.stretch), name: kind })
      stills.push({ file, kind, extension: 'jpg', contentType: 'image/jpeg' })
      return { ...one, still: kind }
    } catch (error) {
      tools.signal.throwIfAborted()
      log('warn', 'A check has no still', { check: one.name, fault: stackOf(error) })
      return one
    }
  }
  const checks: (Check[] | undefined)[] = []
  for (const { film, checks: found } of judged) {
    const named: Check[] = []
    for (const one of found ?? []) named.push(film ? await still(film, one) : one)
    checks.push(found && named)
  }
  return { checks, stills }
}

/** The middle of a stretch, at least a moment before the end of the film. */
function momentOf({ facts }: Video, { startTime, endTime }: NonNullable<Check['stretch']>): number {
  const last = facts.video.endSeconds - 1.5 / Math.max(1, facts.video.averageFps)
  return Math.max(0, Math.min((startTime + endTime) / 2, last))
}

const longestSide = 640

async function takeStill(
  tools: ToolContext,
  { name: film, facts }: Video,
  { at, name }: { at: number; name: string },
): Promise<string> {
  const file = `${name}.jpg`
  const fit = `scale=w='min(iw,${longestSide})':h='min(ih,${longestSide})':force_original_aspect_ratio=decrease`
  const { exitCode, stderrTail } = await readTool(tools, 'ffmpeg', [
    ...[...guardedGlobals, '-y', '-threads', '1', '-ss', at.toFixed(3)],
    ...guardedInput(film, demuxers[facts.format]),
    ...['-map', `0:${facts.video.index}`, '-frames:v', '1', '-vf', `${fit},format=yuvj420p`],
    ...['-c:v', 'mjpeg', '-q:v', '5', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
    ...['-f', 'image2', '-update', '1', `file:${file}`],
  ])
  if (exitCode !== 0) throw new Error(stderrTail)
  return file
}
