import { measureElement } from '../../containers/ffmpeg/measure-element.ts'
import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { openClip } from '../../containers/render/frame/open-clip.ts'
import { measurePackings } from '../../containers/job/measure/measure-job.ts'
import { planRender, type RenderPlan } from '../../containers/render/plan-render.ts'
import type { RenderSources } from '../../containers/render/render-sources.ts'
import type { Clip } from '../../containers/timeline/clip.ts'
import { cutTimeline } from '../../containers/timeline/cut-list.ts'
import { prepareSound } from '../../test/support/containers/sound/prepare-sound.ts'
import { SpeechThread } from '../../containers/speech/local/speech-thread-client.ts'
import { createVoiceDetector } from '../../containers/speech/local-voice-detector.ts'
import { optionsSchema, type ProcessingOptions } from '../../worker/contract/options/options.ts'
import { bareSources } from '../../test/support/containers/films/plan-clips.ts'
import { capsOf, measured, runPlan } from '../tools-in.ts'
import { material, type Rendering } from './jobs.ts'

type Prepared = { readonly options: ProcessingOptions; readonly sources: RenderSources }

/** Measures what both sides of the comparison need, outside the timed part. */
export async function prepareJob(tools: ToolContext, job: Rendering): Promise<Prepared> {
  const options = optionsSchema.parse({ combine: job.sources.length > 1, ...job.options })
  const clips: Clip[] = []
  for (const source of job.sources) {
    const file = material[source]
    clips.push(openClip(file, await measured(tools, file), {}))
  }
  const [first, ...others] = clips
  if (!first) throw new Error('A job without sources')
  const elementMedia = []
  for (const [i, { type }] of (options.elements ?? []).entries()) {
    if (type === 'text' || type === 'blur') throw new Error(`No bench draws a ${type}`)
    const file = material[job.elements?.[i] ?? 'logo']
    const request = { path: file, field: file, maxSeconds: 3_600, type }
    elementMedia.push({ path: file, facts: await measureElement(tools, request) })
  }
  const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 60_000 })
  const sound = await prepareSound(tools, {
    ...{ clips, ...cutTimeline(clips, options) },
    options,
    voices: createVoiceDetector(thread),
    isTranscribed: false,
    onProgress: () => undefined,
    onFault: (error) => {
      throw error
    },
  })
  await thread.close()
  const packings = await measurePackings({ tools, signal: tools.signal }, clips, options)
  const prepared = { sound, elementMedia, packings }
  return { options, sources: bareSources([first, ...others], options, prepared) }
}

export function planOf(tools: ToolContext, { options, sources }: Prepared): RenderPlan {
  return planRender(sources, options, capsOf(tools))
}

/** Plans and renders: the work of the media worker between measuring and uploading. */
export async function renderOurs(tools: ToolContext, prepared: Prepared): Promise<void> {
  const plan = planOf(tools, prepared)
  await runPlan(tools, plan, `ours.${plan.format}`)
}
