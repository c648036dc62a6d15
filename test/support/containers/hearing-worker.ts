import { expect, onTestFinished } from 'vitest'
import { aJob } from './a-job.ts'
import { startMediaWorker } from './media-worker.ts'
import { startProvider, type Reply } from './provider-stub.ts'
import { startReceiver } from './receiver.ts'
import { startSources } from './sources.ts'

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
  const run = async (file: string, options: Record<string, unknown>) => {
    const receiver = await startReceiver({ words })
    onTestFinished(receiver.close)
    const inputs = [sources.file(file)]
    const jobId = `j_${String(made++).padStart(16, 'a')}`
    const job = aJob({ inputs, reportsUrl: receiver.reportsUrl, options, jobId })
    expect((await worker.post('/jobs', job)).status).toBe(202)
    const end = await receiver.end()
    if (end.type !== 'succeeded') throw new Error(JSON.stringify(end))
    return { end, receiver }
  }
  return { provider, run, words }
}
