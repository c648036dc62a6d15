import { measureBytes } from '../../ffmpeg/measure-bytes.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { JobContext } from '../job-context.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { Encoded, Watch } from './render-in-budget.ts'
import { writtenBy, type Written, runPlan, type Rendered } from './run-plan.ts'
import { codedAs, divideFilm, renderInParts } from './render-in-parts.ts'

/** Whether a film is divided, or why not. */
export type Choice = Awaited<ReturnType<typeof divideFilm>>

export function divided(choice: Choice): boolean {
  return choice !== undefined && 'division' in choice
}

/**
 * How an encode is looked after, and what its file is called. `choice`: if that is known already, of a plan that may differ
 * in how pictures are coded.
 */
type Encoding<W> = {
  readonly watch: W
  readonly stem?: string
  readonly choice?: Choice
}

/** Encodes a film that nothing stops. */
export async function encodeFilm(
  planned: Planned,
  plan: RenderPlan,
  { watch, ...encoding }: Encoding<Watch>,
): Promise<Rendered> {
  const onward: Watch = (written) => ({ ...watch(written), stoppedAt: undefined })
  const encoded = await encodeWatched(planned, plan, { ...encoding, watch: onward })
  if ('stoppedAt' in encoded) throw new Error('An encode was stopped that nothing stops')
  return encoded.result
}

/** Encodes a film in parts if that is worth it, and whole if it is not, or if what came out is not true. */
export async function encodeWatched(
  planned: Planned,
  plan: RenderPlan,
  { watch, stem = 'out', choice: known }: Encoding<Watch | undefined>,
): Promise<Encoded<Rendered>> {
  const { context } = planned
  const renderWhole = wholeNamed(stem)
  const choice = known ?? (await divideFilm(planned, plan))
  if (!choice) return renderWatched(context, plan, watch, renderWhole)
  if ('whole' in choice)
    return renderWatched(
      context,
      { ...plan, parts: choice, ...failure(planned) },
      watch,
      renderWhole,
    )
  let why = ''
  const encoded = await renderWatched(context, plan, watch, async (context, plan, onWritten) => {
    const division = codedAs(choice.division, plan)
    const tried = await renderInParts(context, plan, division, { onWritten, stem })
    if ('result' in tried) return tried.result
    why = tried.why
    return undefined
  })
  if (encoded) return encoded
  context.log('warn', 'A film of parts was not true; it is encoded whole', { why })
  if (context.carrier) context.carrier.fault = why
  return renderWatched(context, { ...plan, ...failure(planned) }, watch, renderWhole)
}

/** What the plan says if rendering in parts has failed. */
function failure({ context: { carrier } }: Planned): Pick<RenderPlan, 'parts' | 'partsFailed'> {
  if (carrier?.fault === undefined) return {}
  return { parts: { whole: `in parts it was not true: ${carrier.fault}` }, partsFailed: true }
}

type RenderFilm<Result> = (
  context: JobContext,
  plan: RenderPlan,
  onWritten: (written: Written) => number,
) => Promise<Result>

function wholeNamed(stem: string): RenderFilm<Rendered> {
  return async (context, plan, onWritten) =>
    runPlan(context, plan, stem, (progress) => onWritten(writtenBy(progress, plan)))
}

/** Renders a plan, but stops as soon as the watch says so. */
async function renderWatched<Result extends Rendered | undefined>(
  context: JobContext,
  plan: RenderPlan,
  watch: Watch | undefined,
  render: RenderFilm<Result>,
): Promise<Encoded<Rendered> | (undefined extends Result ? undefined : never)> {
  const stop = new AbortController()
  const signal = AbortSignal.any([context.tools.signal, stop.signal])
  let stoppedAt: ReturnType<Watch>['stoppedAt']
  const tools = { ...context.tools, signal }
  try {
    const result = await render({ ...context, tools }, plan, (written) => {
      const watched = watch?.(written)
      stoppedAt = watched?.stoppedAt
      if (stoppedAt) stop.abort()
      return watched?.again ?? 0
    })
    if (result === undefined) return undefined as undefined extends Result ? undefined : never
    return { result, pictureBytes: await pictureBytesOf(context, result) }
  } catch (error) {
    context.tools.signal.throwIfAborted()
    if (!stoppedAt) throw error
    return { stoppedAt }
  }
}

/** WebM does not say how many bytes its tracks have. */
export async function pictureBytesOf(
  { tools }: JobContext,
  { name, facts }: Rendered,
): Promise<number> {
  const { bitRate, endSeconds } = facts.video
  if (bitRate !== undefined) return (bitRate * endSeconds) / 8
  return (await measureBytes(tools, name, facts))(Number.POSITIVE_INFINITY)
}
