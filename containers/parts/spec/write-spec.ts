import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import {
  partSpec,
  type PartSpec,
  type PictureFilter,
} from '../../../worker/contract/job/part-spec.ts'
import { pipe, type Filter, type InputFile, type Stream } from '../../graph/filter-graph.ts'
import { fontsFolder } from '../../render/captions/draw-text.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { momentBefore } from '../plan/film-pictures.ts'
import type { DividedFilm } from '../plan/plan-parts.ts'
import type { PartTask } from '../part-carrier.ts'
import { windowOf } from '../window/window-of.ts'
import { settingOf } from '../../graph/output-track.ts'

type SpecFilm = {
  readonly folder: string
  readonly frameRate: FrameRate
  readonly hasConstantRate: boolean
  /** The names of the sources; all other files belong to elements. */
  readonly sources: readonly string[]
}

/**
 * x264 looks ahead and decides by the following pictures how much one is worth: without them, the last pictures of a part would
 * look worse. Those before it give its first picture the quantiser of a picture in the middle of a film.
 */
const warmUpPictures = {
  libx264: { before: 6, after: 33 },
  'libvpx-vp9': { before: 0, after: 0 },
} as const

/** Writes the parts of a film as data that can be sent. */
export async function writeTasks(film: SpecFilm, parts: DividedFilm): Promise<PartTask[]> {
  const sizes = new Map<string, number>()
  const tasks: PartTask[] = []
  for (const [n, span] of parts.spans.entries()) {
    const graph = graphOf(windowedFor(parts, span))
    const files = await Promise.all(
      [...graph.inputs, ...(graph.texts.length > 0 ? await fontsIn(film.folder) : [])].map(
        async (name) => {
          const sizeBytes = sizes.get(name) ?? (await stat(path.join(film.folder, name))).size
          sizes.set(name, sizeBytes)
          return { name, role: roleOf(name, film), sizeBytes }
        },
      ),
    )
    const { nodes, texts, picture } = graph
    const spec: PartSpec = {
      version: 1,
      n,
      files,
      texts,
      nodes,
      picture,
      ...timing(film, parts, span),
    }
    tasks.push({ n, spec: partSpec.parse(spec) })
  }
  return tasks
}

function roleOf(name: string, { sources }: SpecFilm): PartSpec['files'][number]['role'] {
  if (name.startsWith(`${fontsFolder}/`)) return 'font'
  return sources.includes(name) ? 'source' : 'element'
}

async function fontsIn(folder: string): Promise<string[]> {
  const names = await readdir(path.join(folder, fontsFolder)).catch(() => [])
  return names.sort().map((name) => `${fontsFolder}/${name}`)
}

/** What is encoded with a part, and the pictures beyond its ends that only its neighbours need. */
function reachOf({ coding, pictures: { count } }: DividedFilm, { from, to }: FrameSpan) {
  const codec = settingOf(coding, '-c:v')
  const most = warmUpPictures[codec === 'libx264' ? codec : 'libvpx-vp9']
  const [before, after] = [Math.min(most.before, from), Math.min(most.after, count - to)]
  const window = {
    from: Math.max(0, from - Math.max(1, before)),
    to: Math.min(count, to + Math.max(1, after)),
  }
  return { before, after, window }
}

function windowedFor(parts: DividedFilm, span: FrameSpan) {
  const { window } = reachOf(parts, span)
  const { stream, pictures, tables, colors } = parts
  const moments = {
    from: momentBefore(pictures, window.from),
    to: momentBefore(pictures, window.to),
  }
  return pipe(windowOf(stream, moments, tables), 'setparams', colors)
}

function timing(film: SpecFilm, parts: DividedFilm, span: FrameSpan) {
  const { pictures, coding } = parts
  const { before, after } = reachOf(parts, span)
  const [first, end] = [span.from - before, span.to + after]
  const zeroSeconds = pictures.at(first)
  const moment = (picture: number): number => momentBefore(pictures, picture)
  const last = moment(end)
  // The last picture of a part, and the first of the next one, are made by both.
  const seams = [span.from, span.to].filter((seam) => seam > 0 && seam < pictures.count)
  return {
    zeroSeconds,
    before,
    count: span.to - span.from,
    after,
    encoded: [Math.max(0, moment(first)), Number.isFinite(last) ? last : null] as [
      number,
      number | null,
    ],
    edges: seams.map((seam): [number, number] => [
      Math.max(0, moment(seam - 1)),
      Math.min(moment(seam + 1), 1e6),
    ]),
    keys: [...(before > 0 ? [span.from] : []), ...(after > 0 ? [span.to] : [])].map((key) =>
      keySeconds(film, parts, { key, first }),
    ),
    fps: fpsOf(film.frameRate),
    hasConstantRate: film.hasConstantRate,
    coding: pairs(coding),
  }
}

/** When a picture is shown in the file of the part. */
function keySeconds(
  { hasConstantRate, frameRate }: SpecFilm,
  { pictures: { at } }: DividedFilm,
  { key, first }: { key: number; first: number },
): number {
  return hasConstantRate ? (key - first) / fpsOf(frameRate) : at(key) - at(first)
}

function pairs(options: readonly string[]): PartSpec['coding'] {
  return options.flatMap((name, i) =>
    i % 2 === 0 ? [[name, options[i + 1] ?? ''] as PartSpec['coding'][number]] : [],
  )
}

/** Lists a graph, each node behind those that it reads. */
function graphOf(stream: Stream<'video'>) {
  const nodes: PartSpec['nodes'][number][] = []
  const places = new Map<InputFile | Filter, number>()
  const texts: PartSpec['texts'] = []
  const inputs = new Set<string>()
  const placeOf = (from: InputFile | Filter): number => {
    const known = places.get(from)
    if (known !== undefined) return known
    const node = from.type === 'input' ? inputNode(from) : filterNode(from, placeOf)
    if (from.type === 'input') inputs.add(from.path)
    else if (from.file) texts.push({ name: from.file.path, text: from.file.text })
    places.set(from, nodes.length)
    return nodes.push(node) - 1
  }
  const picture = { node: placeOf(stream.from), pad: stream.pad }
  return { nodes, picture, texts, inputs: [...inputs] }
}

function inputNode({ path: file, demuxer, reading }: InputFile): PartSpec['nodes'][number] {
  const seek = settingOf(reading, '-ss')
  const decoder = settingOf(reading, '-c:v')
  // The schema refuses what it does not know.
  return {
    type: 'input',
    file,
    demuxer,
    ...(seek === undefined ? {} : { seekSeconds: Number(seek) }),
    isLooped: reading.includes('-stream_loop'),
    ...(decoder === undefined ? {} : { decoder }),
    holdsSize: reading.includes('-reinit_filter:v'),
    keepsTurn: reading.includes('-noautorotate'),
  } as PartSpec['nodes'][number]
}

function filterNode(
  filter: Filter,
  placeOf: (node: InputFile | Filter) => number,
): PartSpec['nodes'][number] {
  const [name, instance] = filter.name.split('@') as [PictureFilter, string?]
  return {
    type: 'filter',
    name,
    ...(instance === undefined ? {} : { instance }),
    args: Object.entries(filter.args),
    inputs: filter.inputs.map(({ from, pad }) => ({ node: placeOf(from), pad })),
    outputs: filter.outputs.length,
  }
}
