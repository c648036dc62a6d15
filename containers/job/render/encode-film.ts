import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { JobContext } from '../job-context.ts'
import type { Planned } from '../plan/plan-job.ts'
import type { RenderTry, EncodeEnd, Stopped, Watch } from './render-try.ts'
import { writtenBy, type Written, runPlan, type Rendered } from './run-plan.ts'
import {
  codedAs,
  divideFilm,
  isDivided,
  renderInParts,
  type DivisionChoice,
} from './render-in-parts.ts'
import path from 'node:path'
import { readIndex } from '../../cuts/mp4/read-index.ts'
import { readPackets } from '../../cuts/mp4/read-packets.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { probeSections } from '../../ffmpeg/probe/probe-sections.ts'

type Encode = Pick<RenderTry, 'plan' | 'watch' | 'stem'>

/**
 * Encodes a film in parts if that is worth it; as a whole if it is not, or if the parts prove wrong. `known`: whether it is
 * divided, if that was decided before, for a plan that may differ in how pictures are coded.
 */
export async function encodeFilm(
  planned: Planned,
  { plan, watch, stem = 'out' }: Encode,
  known?: DivisionChoice,
): Promise<EncodeEnd> {
  const { context } = planned
  const choice = known ?? (await divideFilm(planned, plan))
  let whole = choice && 'whole' in choice ? { ...plan, parts: choice, ...failure(planned) } : plan
  if (isDivided(choice)) {
    const division = codedAs(choice.division, plan)
    const made = await untilStopped(context, watch, async (own, onWritten) =>
      renderInParts(own, plan, division, { onWritten, stem }),
    )
    if ('stoppedAt' in made) return made
    if ('result' in made) return encoded(context, made.result)
    const { why } = made
    context.log('warn', 'A film of parts was not true; it is encoded whole', { why })
    if (context.carrier) context.carrier.fault = why
    whole = { ...plan, ...failure(planned) }
  }
  return encodeWhole(context, { plan: whole, watch, stem })
}

/** Encodes a film in one run of ffmpeg. */
export async function encodeWhole(
  context: JobContext,
  { plan, watch, stem = 'out' }: Encode,
): Promise<EncodeEnd> {
  const made = await untilStopped(context, watch, async (own, onWritten) =>
    runPlan(own, plan, stem, (progress) => onWritten(writtenBy(progress, plan))),
  )
  return 'stoppedAt' in made ? made : encoded(context, made)
}

async function encoded(context: JobContext, result: Rendered): Promise<EncodeEnd> {
  return { result, pictureBytes: await pictureBytesOf(context.tools, result) }
}

/** What the plan says about parts after rendering in parts has failed. */
function failure({ context: { carrier } }: Planned): Pick<RenderPlan, 'parts' | 'partsFailed'> {
  if (carrier?.fault === undefined) return {}
  return { parts: { whole: `in parts it was not true: ${carrier.fault}` }, partsFailed: true }
}

/** Renders to the end, or until the watch stops it. */
async function untilStopped<Result>(
  context: JobContext,
  watch: Watch | undefined,
  render: (own: JobContext, onWritten: (written: Written) => number) => Promise<Result>,
): Promise<Result | Stopped> {
  const stop = new AbortController()
  const signal = AbortSignal.any([context.tools.signal, stop.signal])
  let stoppedAt: Stopped['stoppedAt'] | undefined
  try {
    return await render({ ...context, tools: { ...context.tools, signal } }, (written) => {
      const watched = watch?.(written)
      // Reports that still come while it ends must not let it go on.
      stoppedAt ??= watched?.stoppedAt
      if (stoppedAt) stop.abort()
      return watched?.again ?? 0
    })
  } catch (error) {
    context.tools.signal.throwIfAborted()
    if (!stoppedAt) throw error
    return { stoppedAt }
  }
}

/** How many bytes of pictures each clip has up to a moment. */
export async function seenBytes(tools: ToolContext, clips: readonly Clip[]) {
  return Promise.all(
    clips.map(async ({ video, facts }) =>
      measureBytes(tools, storedStream(video).from.path, facts),
    ),
  )
}

/** The bytes of a film's pictures. WebM does not say how many bytes its tracks have. */
export async function pictureBytesOf(
  tools: ToolContext,
  { name, facts }: Rendered,
): Promise<number> {
  const { bitRate, endSeconds } = facts.video
  if (bitRate !== undefined) return (bitRate * endSeconds) / 8
  return (await measureBytes(tools, name, facts))(Number.POSITIVE_INFINITY)
}

/** The bytes of the pictures of a film that was written only to count them. */
export async function bytesOfPictures(
  tools: ToolContext,
  name: string,
  { format }: Pick<RenderPlan, 'format'>,
): Promise<number> {
  const { sizes } = await readPackets(tools, name, { format, video: { index: 0 } })
  return sizes.reduce((sum, size) => sum + size, 0)
}

const binsInSecond = 2

/** How many bytes of pictures a file has from its start up to a moment, in seconds. */
type SeenBytes = (seconds: number) => number
type OnPacket = (at: number, size: number) => void

/** Adds up the packets of the pictures without decoding them. */
export async function measureBytes(
  tools: ToolContext,
  name: string,
  facts: MediaFacts,
): Promise<SeenBytes> {
  const { video, durationSeconds } = facts
  const bins = new Float64Array(Math.ceil(durationSeconds * binsInSecond) + 1)
  let first: number | undefined
  await eachPacket(tools, { name, facts }, (at, size) => {
    first ??= at
    const bin = Math.floor((at - first + video.beginSeconds) * binsInSecond)
    const inFile = Math.min(bins.length - 1, Math.max(0, bin))
    bins[inFile] = (bins[inFile] ?? 0) + size
  })
  return cumulative(bins)
}

/** The index of an MP4 lists them without a program, whose start takes longer than most of its work. */
async function eachPacket(
  tools: ToolContext,
  { name, facts: { format, video } }: { readonly name: string; readonly facts: MediaFacts },
  onPacket: OnPacket,
): Promise<void> {
  const isMp4 = format === 'mp4' || format === 'mov'
  const index = isMp4 ? await readIndex(path.join(tools.folder, name)) : undefined
  const track = index?.[video.index]
  if (track) return track.at.forEach((at, i) => onPacket(at, track.sizes[i] ?? 0))
  const asked = [
    ...['-select_streams', String(video.index)],
    ...['-show_entries', 'packet=pts_time,dts_time,size'],
  ]
  await probeSections(tools, { path: name, demuxer: demuxers[format] }, asked, (section) => {
    const at = Number(section.value('pts_time') ?? section.value('dts_time'))
    if (section.kind === 'packet' && Number.isFinite(at))
      onPacket(at, Number(section.value('size')))
  })
}

function cumulative(bins: Float64Array): SeenBytes {
  const before = new Float64Array(bins.length + 1)
  bins.forEach((bytes, i) => (before[i + 1] = (before[i] ?? 0) + bytes))
  return (seconds) => {
    const at = Math.min(bins.length, Math.max(0, seconds * binsInSecond))
    const bin = Math.floor(at)
    return (before[bin] ?? 0) + (at - bin) * (bins[bin] ?? 0)
  }
}
