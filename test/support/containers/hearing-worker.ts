import { expect, onTestFinished } from 'vitest'
import { foreseenJob } from '../../../worker/contract/job/foresight.ts'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import { aJob } from './a-job.ts'
import { startMediaWorker } from './media-worker.ts'
import { startProvider, type Reply } from './provider-stub.ts'
import { startReceiver } from './receiver.ts'
import { startSources } from './sources.ts'

type Options = Record<string, unknown>
type Asked = { options: Options; replaced?: string | undefined; reportsUrl?: string }

/** A media worker that hears what `reply` says in every file, whose model answers `chat` to whatever it is asked then, and runs jobs one after the other until they succeed. */
export async function startHearingWorker(reply: Reply | 'never', chat?: Reply) {
  const provider = await startProvider(reply, ...(chat ? [chat] : []))
  const worker = await startMediaWorker({
    SPEECH_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${provider.origin}/v1`,
    OPENAI_API_KEY: 'sk',
    ...(chat && { ANALYSIS_PROVIDER: 'openai' }),
  })
  onTestFinished(worker.stop)
  const sources = await startSources()
  onTestFinished(sources.close)
  const words = new Map<string, string>()
  let made = 0
  const jobOf = (file: string, { options, replaced, reportsUrl = 'http://127.0.0.1/' }: Asked) => {
    const jobId = `j_${String(made++).padStart(16, 'a')}`
    const sound = replaced === undefined ? undefined : sources.file(replaced)
    const audio = sound === undefined ? {} : { audio: { replaceUrl: sound } }
    const job = aJob({
      ...{ inputs: [sources.file(file)], reportsUrl, jobId },
      options: { ...options, ...audio },
    })
    const origin = 'customer' as const
    const beside = sound !== undefined && {
      beside: [{ field: 'audio.replaceUrl', url: sound, origin }],
    }
    return { ...job, ...beside }
  }
  const plan = async (
    file: string,
    options: Options,
    known: Partial<Pick<MediaJob, 'heard' | 'paces'>> = {},
  ) => {
    const answer = await worker.post('/plans', { ...jobOf(file, { options }), ...known })
    return foreseenJob.parse(await answer.json())
  }
  const run = async (file: string, options: Options, replaced?: string) => {
    const receiver = await startReceiver({ words })
    onTestFinished(receiver.close)
    const { reportsUrl } = receiver
    const job = jobOf(file, { options, replaced, reportsUrl })
    expect((await worker.post('/jobs', job)).status).toBe(202)
    const end = await receiver.end()
    if (end.type !== 'succeeded') throw new Error(JSON.stringify(end))
    return { end, receiver }
  }
  return { provider, run, plan, words }
}
