import { replacedField } from '../../../worker/contract/addresses/addresses-beside.ts'
import type { ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { isSound } from '../../../worker/contract/options/outputs/outputs.ts'
import { groundAsked } from '../../../worker/contract/options/sound/sound-alone.ts'
import { atMost } from '../../errors/at-most.ts'
import { measureElement, type MediaType } from '../../ffmpeg/measure-element.ts'
import type { Claimed } from '../../ffmpeg/measure-media.ts'
import { takeSoundFile, takeSources } from '../../ffmpeg/take-sources.ts'
import type { TakenVideo } from '../../ffmpeg/take-video.ts'
import type { TextFile } from '../../graph/filter-graph.ts'
import type { ElementMedia } from '../../render/elements/open-element.ts'
import { openClip, solidColor } from '../../render/frame/open-clip.ts'
import type { Clip, Clips } from '../../timeline/clip.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { Fetched, JobContext } from '../job-context.ts'
import { measuringWork } from '../report/measuring-work.ts'
import { busyWith, type Ahead } from '../report/steps.ts'
import { hearingWork, unplannedWork } from '../report/work-ahead.ts'
import { work, type Work } from '../report/work-kinds.ts'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../../errors/job-error.ts'
import { CubeFault, rewriteCube } from '../../render/color/cube-file.ts'

/** The fetched files as clips, and the facts about them. */
type Taken = {
  readonly fetched: Fetched
  /** By source: the video before it became a clip. */
  readonly sources: readonly TakenVideo[]
  readonly facts: readonly MediaFacts[]
  readonly clips: Clips
  readonly elementMedia: readonly (ElementMedia | undefined)[]
  /** The sound that replaces that of the film. */
  readonly replacement: Clip | undefined
  /** The work of measuring them. */
  readonly measuring: Work | undefined
}

/** Reads all fetched files, and reports the work that follows as soon as it is known. */
export async function takeFiles(
  context: JobContext,
  found: Fetched,
  onProgress: (share: number) => void,
): Promise<Taken> {
  const sources = await takeAll(context, found, onProgress)
  const facts = sources.map((source) => source.facts)
  const fetched = { ...found, sources: sources.map((source) => source.path) }
  const ahead = workAfter(context.job.options, facts)
  context.reporter.expect(ahead)
  const elementMedia = await measureElements(context, fetched.elements)
  const colorTable = await readColorTable(context.tools.folder, fetched.beside)
  const clips = openClips(context, { files: fetched.sources, facts, colorTable })
  const replacement = await takeReplacement(context, fetched)
  return { fetched, sources, facts, clips, elementMedia, replacement, measuring: ahead.measuring }
}

export const measuredAtOnce = 2

/** Measures all fetched files, in order. */
async function takeAll(
  context: JobContext,
  { sources: files, beside, partial = [] }: Fetched,
  onProgress: (share: number) => void,
): Promise<TakenVideo[]> {
  const { job, settings, signal, tools, during } = context
  const asked = groundAsked(job.options)
  let measured = 0
  const claims: Claimed[] = []
  const sources = files.map((file, i) => {
    const { field = 'file', duration, motion } = job.inputs[i] ?? {}
    const onClaim = (claimed: Claimed): void => {
      claims[i] = claimed
      const known = claims.flatMap((one) => one)
      if (known.length === files.length) context.reporter.expect(workAfter(job.options, known))
    }
    return { path: file, field, duration, motion, onClaim, isPartial: partial.includes(file) }
  })
  return takeSources(tools.folder, sources, {
    maxSeconds: settings.MAX_SOURCE_SECONDS,
    backgroundColor: solidColor(job.options.backgroundColor),
    isPlanned: context.mayListenMs !== undefined,
    soundPicture: asked && { ...asked, path: beside.get(asked.field) },
    isHeardOnly: isHeardOnly(job.options),
    inTurns: async (items, take) =>
      atMost(measuredAtOnce, items, signal, async (item, either) => {
        await during({ field: item.field, doing: 'reading this file' }, async () =>
          take(item, { ...tools, signal: either }),
        )
        measured += 1
        onProgress(measured / files.length)
      }),
  })
}

/**
 * Measures the files of the elements, each file once for every type that it is used as; in the order of the elements.
 */
async function measureElements(
  { job, settings, signal, tools, during }: JobContext,
  files: readonly (string | undefined)[],
): Promise<(ElementMedia | undefined)[]> {
  const wanted = new Map<string, { file: string; type: MediaType; index: number }>()
  const keys = (job.options.elements ?? []).map(({ type }, index) => {
    const file = files[index]
    if (file === undefined || type === 'text' || type === 'blur') return ''
    const key = `${type} ${file}`
    if (!wanted.has(key)) wanted.set(key, { file, type, index })
    return key
  })
  const measured = await atMost(
    measuredAtOnce,
    [...wanted.entries()],
    signal,
    async ([key, { file, type, index }], either): Promise<[string, ElementMedia]> => {
      const field = `elements[${index}].url`
      const maxSeconds = settings.MAX_SOURCE_SECONDS
      const facts = await during({ field, doing: 'reading this file' }, async () =>
        measureElement({ ...tools, signal: either }, { path: file, type, field, maxSeconds }),
      )
      return [key, { path: file, facts }]
    },
  )
  const media = new Map(measured)
  return keys.map((key) => media.get(key))
}

type Opening = {
  readonly files: readonly string[]
  readonly facts: readonly MediaFacts[]
  readonly colorTable: TextFile | undefined
}

function openClips({ job }: JobContext, { files, facts, colorTable }: Opening): Clips {
  const { backgroundColor } = job.options
  const [first, ...others] = facts.map((fact, i) => ({
    ...openClip(files[i] ?? `in${i}`, fact, job.inputs[i] ?? {}, backgroundColor),
    colorTable,
  }))
  if (!first) throw new Error('A job without inputs')
  return [first, ...others]
}

async function takeReplacement(
  { job, settings, tools, during }: JobContext,
  { beside }: Fetched,
): Promise<Clip | undefined> {
  const file = beside.get(replacedField)
  if (file === undefined || job.options.analyzeOnly) return undefined
  const source = { path: file, field: replacedField }
  const { path, facts } = await during(
    { field: replacedField, doing: 'reading this file' },
    async () => takeSoundFile(tools, source, settings.MAX_SOURCE_SECONDS),
  )
  return openClip(path, facts, {})
}

/** The work that remains once the footage is known. */
function workAfter(options: ProcessingOptions, facts: readonly Claimed[]): Ahead {
  const seconds = secondsOfAll(facts)
  const [first] = facts
  return {
    measuring: measuringWork(options, seconds, first?.video),
    ...hearingWork(options, seconds),
    ...(first && unplannedWork(options, first.video, seconds)),
    ...(first && { busy: busyWith(first.video) }),
    uploading: work('uploading'),
  }
}

/** Whether no picture of the footage is used. */
export function isHeardOnly({ analyzeOnly, outputs }: JobContext['job']['options']): boolean {
  return analyzeOnly || (outputs?.every((one) => isSound(one.outputFormat)) ?? false)
}

export function secondsOfAll(facts: readonly Claimed[]): number {
  return facts.reduce((total, { durationSeconds }) => total + durationSeconds, 0)
}

const field = 'color.lutUrl'
const writtenAs = 'colors.cube'

/** The colour table that a request names, checked and written again; undefined if it names none. */
async function readColorTable(
  folder: string,
  fetched: ReadonlyMap<string, string>,
): Promise<TextFile | undefined> {
  const name = fetched.get(field)
  if (name === undefined) return undefined
  const text = await readFile(path.join(folder, name), 'utf8')
  try {
    return { path: writtenAs, text: rewriteCube(text) }
  } catch (error) {
    if (!(error instanceof CubeFault)) throw error
    throw new JobError('element_unusable', `${field}: ${error.message}.`, { cause: error })
  }
}
