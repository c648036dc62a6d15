import type { During } from '../../../../containers/apart/serve-work.ts'
import { copyFile, stat } from 'node:fs/promises'
import path from 'node:path'
import {
  optionsSchema,
  type ProcessingOptions,
} from '../../../../worker/contract/options/options.ts'
import { measureElement } from '../../../../containers/ffmpeg/measure-element.ts'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../../../containers/ffmpeg/process/run-ffmpeg.ts'
import { duckElements } from '../../../../containers/job/cut/duck-elements.ts'
import { loadFaceModel, type FaceModel } from '../../../../containers/insight/faces/face-model.ts'
import { headsOf, type FindBodies } from '../../../../containers/insight/follow/find-bodies.ts'
import {
  loadObjectModel,
  type ObjectModel,
} from '../../../../containers/insight/objects/object-model.ts'
import { followingResults, followPeople } from '../../../../containers/job/measure/follow-people.ts'
import { measurePackings } from '../../../../containers/job/measure/measure-job.ts'
import type { MeasureOnce } from '../../../../containers/job/measure/measured-once.ts'
import { measureShakes } from '../../../../containers/job/measure/shake/measure-shake.ts'
import { drawTexts } from '../../../../containers/job/measure/draw-texts.ts'
import { TextFonts } from '../../../../containers/job/measure/text-fonts.ts'
import { rewriteCube } from '../../../../containers/render/color/cube-file.ts'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import type { ElementMedia } from '../../../../containers/render/elements/open-element.ts'
import {
  compilePlan,
  describePlan,
  planRender,
  type RenderPlan,
} from '../../../../containers/render/plan-render.ts'
import { shapeClips } from '../../../../containers/render/frame/shape-clips.ts'
import type { PreparedSound } from '../../../../containers/sound/prepared-sound.ts'
import type { Clip, InputOptions } from '../../../../containers/timeline/clip.ts'
import { cutTimeline } from '../../../../containers/timeline/cut-list.ts'
import { prepareSound } from '../sound/prepare-sound.ts'
import { withSteadySound } from '../../../../containers/sound/steady-channels.ts'
import { bareSources } from './plan-clips.ts'
import { soundHearing, type SoundHearing } from '../sound/local-voices.ts'
import { aToolContext, type TestTools } from '../tool-context.ts'

export type Source = { file: string; asked?: InputOptions }

export type RenderedVideo = {
  file: string
  plan: RenderPlan
  described: ReturnType<typeof describePlan>
  sound: PreparedSound | undefined
  tools: TestTools
  clips: readonly [Clip, ...Clip[]]
}

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 1e9 }

type HeardVideo = {
  readonly clips: readonly [Clip, ...Clip[]]
  readonly options: ProcessingOptions
  readonly sound: PreparedSound | undefined
  readonly tools: TestTools
}

/** What the media worker does before it renders: sources are measured, their sound is decoded and cut. */
export async function hearVideo(
  sources: readonly Source[],
  asked: Record<string, unknown>,
  hearing: Partial<SoundHearing> = {},
): Promise<HeardVideo> {
  const tools = await aToolContext()
  const options = optionsSchema.parse({ combine: sources.length > 1, ...asked })
  const clips: Clip[] = []
  for (const [i, source] of sources.entries()) {
    await copyFile(source.file, path.join(tools.folder, `in${i}`))
    const facts = await measuredOnce(source.file, async () =>
      measureMedia(tools, { path: `in${i}`, field: `files[${i}].url`, maxSeconds: 20_000 }),
    )
    clips.push(openClip(`in${i}`, facts, source.asked ?? {}, options.backgroundColor))
  }
  const [first, ...others] = clips
  if (!first) throw new Error('Nothing to render')
  const level = await withSteadySound(tools, [first, ...others], options)
  const steady = options.stabilize
    ? await measureShakes(tools, {
        clips: level,
        isFilmed: () => true,
        once: async (_looked, measure) => measure(),
        onProgress: () => undefined,
      })
    : level
  const cut = cutTimeline(steady, options)
  const { timeline } = cut
  const once: MeasureOnce = async (_looked, measure) => measure()
  const following = {
    ...{ ...soundHearing, ...hearing, timeline, options, findFaces, findBodies, once },
    onListen: () => undefined,
  }
  const seen =
    followingResults(options).length > 0 ? await followPeople(tools, steady, following) : steady
  const sound = await prepareSound(tools, {
    ...cut,
    ...{ clips: seen, options, ...soundHearing, ...hearing },
  })
  return { clips: seen, options, sound, tools }
}

let faceModel: Promise<FaceModel> | undefined
const findFaces: FaceModel = async (look) => (await (faceModel ??= loadFaceModel()))(look)

let objectModel: Promise<ObjectModel> | undefined
const findBodies: FindBodies = async (picture) =>
  headsOf(await (await (objectModel ??= loadObjectModel()))(picture))

const knownFacts = new Map<string, Promise<unknown>>()

/** Measures a file that several tests render only once; the programs that measure take as long to start as most renderings. */
async function measuredOnce<Facts>(
  file: string,
  measure: () => Promise<Facts>,
  as = 'source',
): Promise<Facts> {
  const { size, mtimeMs } = await stat(file)
  const key = [as, file, size, mtimeMs].join(' ')
  const known = knownFacts.get(key) as Promise<Facts> | undefined
  const facts = known ?? measure()
  knownFacts.set(key, facts)
  return facts
}

/** Nothing watches the steps of a test. */
const during: During = async (_step, work) => work()

/** Everything the media worker does between fetching and uploading. */
export async function renderVideo(
  sources: readonly Source[],
  asked: Record<string, unknown>,
  elementFiles: readonly string[] = [],
  hearing: Partial<SoundHearing> = {},
  colors?: string,
): Promise<RenderedVideo> {
  const heard = await hearVideo(sources, asked, hearing)
  const { options, sound, tools } = heard
  const clips = withColors(heard.clips, colors)
  const files = await measureElementFiles(tools, options, elementFiles)
  const { frame } = shapeClips(clips, options)
  const fonts = new TextFonts(tools.folder, new Map())
  const here = { tools, during }
  const texts = await drawTexts(here, { elements: options.elements, frame }, fonts)
  const elementMedia = files.map((media, i) => texts.media.get(i) ?? media)
  const prepared = bareSources(clips, options, { sound, elementMedia })
  const ducked = await duckElements(tools, options, prepared)
  const packings = await measurePackings({ tools, signal: tools.signal }, clips, options)
  const warnings = [...prepared.warnings, ...texts.warnings]
  const plan = planRender({ ...prepared, ducked, packings, warnings }, options, caps)
  const name = `out.${plan.format}`
  await runFfmpeg(tools, compilePlan(plan, name, caps), () => undefined)
  const described = describePlan(plan)
  return { file: path.join(tools.folder, name), plan, described, sound, tools, clips }
}

/** The table of colours of `color.lutUrl`. */
function withColors(clips: HeardVideo['clips'], colors: string | undefined): HeardVideo['clips'] {
  if (colors === undefined) return clips
  const colorTable = { path: 'colors.cube', text: rewriteCube(colors) }
  const [first, ...others] = clips
  return [{ ...first, colorTable }, ...others.map((clip) => ({ ...clip, colorTable }))]
}

/** One file for each element; each is measured once. */
async function measureElementFiles(
  tools: TestTools,
  { elements = [] }: ProcessingOptions,
  files: readonly string[],
): Promise<(ElementMedia | undefined)[]> {
  const known = new Map<string, ElementMedia>()
  const keys = elements.map(({ type }, i) => `${type} ${files[i]}`)
  for (const [i, { type }] of elements.entries()) {
    const [file, key = ''] = [files[i], keys[i]]
    if (file === undefined || type === 'text' || type === 'blur' || known.has(key)) continue
    const name = `element${i}`
    await copyFile(file, path.join(tools.folder, name))
    const request = { path: name, field: `elements[${i}].url`, maxSeconds: 1_000, type }
    const facts = await measuredOnce(file, async () => measureElement(tools, request), type)
    known.set(key, { path: name, facts })
  }
  return keys.map((key) => known.get(key))
}
