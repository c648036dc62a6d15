import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { ClipRow } from '../../cuts/plan/choose-row.ts'
import { faultOfRow } from '../../cuts/proof/prove-row.ts'
import { JobError } from '../../errors/job-error.ts'
import type { Cutting, CutResult } from '../../cuts/cut-model.ts'
import { makeFilm } from '../../cuts/make/make-film.ts'
import { faultOfFilm } from '../../cuts/proof/prove-film.ts'
import { stackOf } from '../../errors/log.ts'
import type { JobContext } from '../job-context.ts'
import { copyStepMs } from '../wall-clock.ts'

type CutContext = Pick<JobContext, 'tools' | 'log'> & {
  /** Called with how much of the seams is encoded, from 0 to 1. */
  readonly onShare?: (share: number) => void
}

/** Prepares the film of a cut, renders it with its sound, and proves it. If any of this fails, the film is encoded. */
export async function renderCut<Result extends CutResult>(
  { tools, log, onShare }: CutContext,
  cutting: Cutting,
  render: (coding: readonly string[]) => Promise<Result>,
): Promise<{ result: Result } | { why: string }> {
  const limits = { ...tools.limits, wallMs: copyStepMs(tools.limits) }
  const limited = { ...tools, limits }
  try {
    const { samples, coding } = await makeFilm(limited, cutting, onShare)
    const result = await render(coding)
    const why = await faultOfFilm(limited, result, cutting, samples)
    return why === undefined ? { result } : { why }
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'Cutting a video as it is stored failed', { fault: stackOf(error) })
    return { why: error instanceof Error ? error.message : 'it failed' }
  }
}

/** The fault of a row. A proof that fails or takes too long counts as one, because the video can always be encoded. */
export async function doubtOfRow(
  tools: ToolContext,
  result: CutResult,
  row: ClipRow,
): Promise<string | undefined> {
  const limits = { ...tools.limits, wallMs: copyStepMs(tools.limits) }
  try {
    return await faultOfRow({ ...tools, limits }, result, row)
  } catch (error) {
    tools.signal.throwIfAborted()
    // An error of the file system.
    if (error instanceof Error && 'code' in error) return 'its file cannot be read'
    const isLasting = error instanceof JobError && !error.retryable
    const isLate = error instanceof JobError && error.reason === 'out_of_time'
    if (isLasting || isLate) return `it could not be proven. ${error.message}`
    throw error
  }
}
