import { JobError } from '../job/job-error.ts'
import { guardedGlobals, guardedInput } from './compile-args.ts'
import { readTool, type ToolContext } from './run-tool.ts'

export type Decoded = { readonly isPicture: boolean; readonly stderrTail: string }

/** The largest pictures take a second or two. */
const patienceMs = 20_000

/**
 * Whether one picture comes out of a file. Needs to know nothing of its streams, and can run while they are listed. It
 * gets little time: a picture may be made of thousands of layers, or of nothing at all.
 */
export async function decodePicture(
  context: ToolContext,
  { path, demuxer, field }: { path: string; demuxer: string; field: string },
): Promise<Decoded> {
  const wallMs = Math.min(patienceMs, context.limits.wallMs)
  const impatient = { ...context, limits: { ...context.limits, wallMs } }
  const run = await readTool(impatient, 'ffmpeg', [
    ...guardedGlobals,
    ...['-threads', '1', '-max_pixels', String(context.maxPixels)],
    ...guardedInput(path, demuxer),
    // A large V is any video but a cover image, as in `pickVideo`.
    ...['-map', '0:V:0', '-frames:v', '1', '-f', 'framecrc', '-'],
  ]).catch((error: unknown) => {
    if (!(error instanceof JobError) || error.reason !== 'out_of_time') throw error
    const seconds = Math.round(wallMs / 1000)
    const what = `${field}: decoding the first picture takes longer than ${seconds} seconds.`
    throw new JobError('source_undecodable', what, { cause: error })
  })
  return { isPicture: /^0,/m.test(run.stdout), stderrTail: run.stderrTail }
}
