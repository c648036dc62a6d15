import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { PartSpec } from '../../../worker/contract/job/part-spec.ts'
import { runGraph } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { MadeFiles } from '../../graph/compile-args.ts'
import { countedFrom, trimmed } from '../../graph/cut-in-time.ts'
import { connect, pipe, type Stream } from '../../graph/filter-graph.ts'
import type { PartProgress, PartResult } from '../part-carrier.ts'
import { readGraph } from '../spec/read-spec.ts'
import { windowGlobals } from '../window/window-of.ts'
import { hashesIn } from '../../ffmpeg/picture-hashes.ts'

/** Renders one part on this machine: for the film's own job, or for that of another media worker. */
export async function renderPart(
  tools: ToolContext,
  spec: PartSpec,
  onProgress: PartProgress,
): Promise<Omit<PartResult, 'n'>> {
  // If the first one is slow, two may render the same part in one folder.
  const stem = `part-${spec.n}-${randomUUID().slice(0, 8)}`
  const [file, hashes] = [`${stem}.mp4`, `${stem}.edges`]
  const begunAt = performance.now()
  try {
    await runGraph(tools, filesOf(spec, { file, hashes }), (told) =>
      onProgress({ pictures: told.frames, bytes: told.sizeBytes }),
    )
    const cpuMs = Math.round(performance.now() - begunAt)
    const whole = path.join(tools.folder, file)
    const { size: sizeBytes } = await stat(whole)
    const edges = await readEdges(tools, spec, hashes)
    const sha256 = await hashFile(whole, tools.signal)
    return { file, sizeBytes, sha256, pictures: spec.count, cpuMs, edges }
  } catch (error) {
    await rm(path.join(tools.folder, file), { force: true })
    throw error
  } finally {
    await rm(path.join(tools.folder, hashes), { force: true })
  }
}

export async function hashFile(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash, { signal })
  return hash.digest('hex')
}

async function readEdges(
  { folder }: ToolContext,
  { edges }: PartSpec,
  name: string,
): Promise<string[]> {
  if (edges.length === 0) return []
  const text = await readFile(path.join(folder, name), 'utf8')
  return hashesIn(text).slice(-picturesAtEdge * edges.length)
}

type PartNames = { readonly file: string; readonly hashes: string }

function filesOf(spec: PartSpec, names: PartNames): MadeFiles {
  const picture = readGraph(spec)
  const muxing = ['-fflags', '+bitexact', '-f', 'mp4']
  const output = { muxing, path: names.file, timing: windowGlobals }
  if (spec.edges.length === 0) return { ...output, tracks: [encoded(picture, spec)] }
  const [film, seen] = connect('split', [picture], ['video', 'video'])
  const coding = ['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', '-fps_mode:v', 'passthrough']
  const hashed = { tracks: [{ stream: atEdges(seen, spec), coding }], muxing: ['-f', 'framemd5'] }
  const beside = [{ ...hashed, path: names.hashes }]
  return { ...output, tracks: [encoded(film, spec)], beside }
}

/** How many pictures each edge of a part has. */
const picturesAtEdge = 2

/**
 * The pictures at both ends of the part, which its neighbours make too, and the very first picture: ffmpeg reports no progress
 * before each of its outputs has begun, and a long part would seem to hang.
 */
function atEdges(picture: Stream<'video'>, { edges }: PartSpec): Stream<'video'> {
  const spans = edges.map(([from, to]) => `gte(t,${from.toFixed(6)})*lt(t,${to.toFixed(6)})`)
  return pipe(picture, 'select', { expr: ['eq(n,0)', ...spans].join('+') })
}

function encoded(picture: Stream<'video'>, spec: PartSpec) {
  const [start, end] = spec.encoded
  const own = trimmed(picture, { from: start, to: end ?? Number.POSITIVE_INFINITY })
  return { stream: pipe(own, 'setpts', countedFrom(spec.zeroSeconds)), coding: codingOf(spec) }
}

function codingOf(spec: PartSpec): string[] {
  const { coding, keys } = spec
  const settings = new Map<string, string>(coding)
  const cheap = settings.get('-c:v') === 'libx264' ? cheapZones(spec) : []
  const params = [settings.get('-x264-params') ?? [], cheap].flat()
  if (params.length > 0) settings.set('-x264-params', params.join(':'))
  // Half a millisecond early, because a key is forced at the first picture that is not earlier.
  const forced = keys.map((key) => Math.max(0, key - 0.0005).toFixed(6))
  if (forced.length > 0) settings.set('-force_key_frames', forced.join(','))
  return [...settings].flat()
}

/** Means that x264 may save in a zone, without another plan for the pictures outside of it. */
const cheap = [
  ...['b=1.0', 'ref=1', 'me=dia', 'merange=4', 'subme=1', 'trellis=0'],
  ...['no-mixed-refs=1', 'no-chroma-me=1'],
].join(',')

/**
 * Pictures that only warm the encoder up are left out of the film. x264 decides how many bits the others get before it codes
 * any, so it may code these quickly.
 */
function cheapZones({ before, count, after }: PartSpec): string[] {
  const zones = [
    ...(before > 0 ? [[0, before - 1]] : []),
    ...(after > 0 ? [[before + count, before + count + after - 1]] : []),
  ]
  return zones.length === 0
    ? []
    : [`zones=${zones.map(([a, b]) => `${a},${b},${cheap}`).join('/')}`]
}
