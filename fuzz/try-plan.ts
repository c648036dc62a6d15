import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { groundAsked } from '../worker/contract/options/sound/sound-alone.ts'
import { optionsSchema } from '../worker/contract/options/options.ts'
import { unconfined } from '../containers/confine/confinement.ts'
import { measureElement } from '../containers/ffmpeg/measure-element.ts'
import type { MediaFacts } from '../containers/timeline/media-facts.ts'
import { takeSources } from '../containers/ffmpeg/take-sources.ts'
import type { TakenVideo } from '../containers/ffmpeg/take-video.ts'
import type { ToolContext } from '../containers/ffmpeg/process/run-tool.ts'
import { JobError } from '../containers/errors/job-error.ts'
import { leastWallMs } from '../containers/job/wall-clock.ts'
import { openClip } from '../containers/render/frame/open-clip.ts'
import { compilePlan } from '../containers/render/plan-render.ts'
import type { FuzzCase } from './make-case.ts'
import { planClips } from '../test/support/containers/films/plan-clips.ts'
import type { SourceKind } from './seeds.ts'
import { judgeFailure, type Outcome } from './outcome.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 4 * 1024 ** 3 }
const maxSeconds = 14_400
/** Far longer than any case takes, even on a busy machine. */
const patienceMs = 120_000

/** Measures the files of a case and plans its rendering, as the media worker would. */
export async function tryPlan(fuzzCase: FuzzCase, signal: AbortSignal): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-fuzz-'))
  const startedAt = performance.now()
  try {
    await measureAndPlan(fuzzCase, toolsIn(folder, signal))
    return slowOr({ kind: 'succeeded' }, startedAt)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof JobError) {
      return slowOr(judgeFailure(error.reason, error.message), startedAt)
    }
    return {
      kind: 'fault',
      what: error instanceof Error ? (error.stack ?? error.message) : 'threw',
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function slowOr(outcome: Outcome, startedAt: number): Outcome {
  const ms = Math.round(performance.now() - startedAt)
  return ms > patienceMs ? { kind: 'fault', what: `took ${ms} ms` } : outcome
}

function toolsIn(folder: string, signal: AbortSignal): ToolContext {
  return {
    ...{ folder, signal, threads: caps.threads, maxPixels: caps.maxPixels },
    confinement: unconfined,
    limits: { stallMs: 60_000, wallMs: leastWallMs, memoryBytes: 4 * 1024 ** 3 },
    onCommand: () => undefined,
  }
}

async function measureAndPlan({ kind, source, element, options }: FuzzCase, tools: ToolContext) {
  await writeFile(path.join(tools.folder, 'in0'), source)
  const taken = await takeSource({ kind, options }, tools)
  checkFacts(taken.facts)
  const elementMedia = element && (await measureFile(element, tools))
  const elements = element && [{ type: element.type, url: 'https://media.example.com/e' }]
  const parsed = optionsSchema.parse({ ...options, ...(elements && { elements }) })
  const clip = openClip(taken.path, taken.facts, {}, parsed.backgroundColor)
  const prepared = elementMedia ? { elementMedia: [elementMedia] } : {}
  compilePlan(planClips([clip], parsed, caps, prepared), 'out', caps)
}

async function takeSource(
  { kind, options }: Pick<FuzzCase, 'kind' | 'options'>,
  tools: ToolContext,
): Promise<TakenVideo> {
  const { backgroundColor, background, waveform } = optionsSchema.parse(options)
  const asked = groundAsked({ background, waveform })
  const [taken] = await takeSources(tools.folder, [{ path: 'in0', ...sourceFields(kind) }], {
    maxSeconds,
    backgroundColor,
    soundPicture: asked && { ...asked, path: undefined },
    isHeardOnly: false,
    inTurns: async (items, take) => {
      for (const item of items) await take(item, tools)
    },
  })
  if (!taken) throw new Error('A source was not taken')
  return taken
}

/** A picture needs a length, which only `files` can give it. */
export function sourceFields(kind: SourceKind): { field: string; duration?: number } {
  return kind === 'picture' ? { field: 'files[0].url', duration: 0.3 } : { field: 'fileUrl' }
}

async function measureFile({ type, bytes }: NonNullable<FuzzCase['element']>, tools: ToolContext) {
  await writeFile(path.join(tools.folder, 'in1'), bytes)
  const request = { path: 'in1', field: 'elements[0].url', maxSeconds, type }
  return { path: 'in1', facts: await measureElement(tools, request) }
}

function checkFacts({ durationSeconds, video }: MediaFacts): void {
  const { width, height, averageFps, endSeconds, frameRate } = video
  const numbers = { durationSeconds, width, height, averageFps, endSeconds, ...frameRate }
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isFinite(value) || value < 0) throw new Error(`${name} was measured as ${value}`)
  }
}
