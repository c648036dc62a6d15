import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { createLog } from '../../../../containers/errors/log.ts'
import type { ToolContext } from '../../../../containers/ffmpeg/process/run-tool.ts'
import { chooseProviders } from '../../../../containers/insight/choose-providers.ts'
import { cutFootage, type Cut } from '../../../../containers/job/cut/cut-footage.ts'
import { unheard } from '../../../../containers/job/hear/hear-words.ts'
import type { Fetched, JobContext } from '../../../../containers/job/job-context.ts'
import type { Ahead } from '../../../../containers/job/report/steps.ts'
import { measureJob, type Measured } from '../../../../containers/job/measure/measure-job.ts'
import { loadSettings } from '../../../../containers/settings/settings.ts'
import type { VoiceDetector } from '../../../../containers/sound/pauses/voice-activity.ts'
import type { InputOptions } from '../../../../containers/timeline/clip.ts'
import { aJob } from '../a-job.ts'

export type Source = { file: string; asked?: InputOptions }

/** What a job hears with, and what it tells. */
export type Hearing = {
  readonly voices?: VoiceDetector
  readonly onFault?: (fault: string) => void
  readonly onProgress?: (share: number) => void
  readonly onExpect?: (ahead: Ahead) => void
}

type AskedJob = {
  readonly sources: readonly Source[]
  readonly options: Readonly<Record<string, unknown>>
  readonly hearing?: Hearing | undefined
  /** What lies beside the sources: files of elements in their order, and others by their field. */
  readonly files?: Pick<Fetched, 'elements' | 'beside'>
  /** What was measured before; nobody keeps anything if it is not given. */
  readonly remembered?: JobContext['remembered']
}

const settings = loadSettings({ MEDIA_WORKER_TOKEN: 'a-token-for-tests-only' })
const providers = chooseProviders(settings)

/** Measures the files of a job in this process, as a job process does. */
export async function measureHere(
  tools: ToolContext,
  { sources, options, hearing = {}, remembered, ...asked }: AskedJob,
): Promise<Measured> {
  const { files = { elements: [], beside: new Map() } } = asked
  const names = sources.map((_, i) => `in${i}`)
  for (const [i, { file }] of sources.entries()) {
    await copyFile(file, path.join(tools.folder, `in${i}`))
  }
  const inputs = sources.map(({ file, asked }) => ({ url: file, ...asked }))
  const job = aJob({ inputs, reportsUrl: '', options: { combine: inputs.length > 1, ...options } })
  const context = { ...jobContext(tools, job, hearing), remembered }
  return measureJob(context, { sources: names, ...files })
}

/** Works a job through until it is cut; nobody hears what is said in it. */
export async function cutHere(tools: ToolContext, asked: AskedJob): Promise<Cut> {
  return cutFootage(unheard(await measureHere(tools, asked)))
}

function jobContext(
  tools: ToolContext,
  job: JobContext['job'],
  { onFault, onProgress, onExpect, voices = providers.voices }: Hearing,
): JobContext {
  const log = (_level: string, _message: string, fields?: { fault?: unknown }): void => {
    if (typeof fields?.fault === 'string') onFault?.(fields.fault)
  }
  return {
    ...{ job, tools, settings: { ...settings, FFMPEG_THREADS: tools.threads } },
    ...{ signal: tools.signal, confinement: tools.confinement },
    log: Object.assign(log, { with: () => createLog(() => undefined) }),
    providers: { ...providers, voices },
    trace: { plan: () => undefined, phase: async (_, work) => work(), processor: () => undefined },
    reporter: {
      progress: (_phase, share) => onProgress?.(share),
      expect: (ahead) => onExpect?.(ahead),
      insight: () => undefined,
    },
    during: async (_step, work) => work(),
  }
}
