import { on } from 'node:events'
import { watch } from 'node:fs'
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { partJobBytes } from '../../worker/contract/job/part-job.ts'
import { cancelAnswer, type Report } from '../../worker/contract/job/report.ts'
import { signatureHeader, signMessage } from '../../worker/contract/job/signed-message.ts'
import { eventually } from '../support/node/eventually.ts'
import { makeVideo } from '../support/node/fixtures.ts'
import { aJob } from '../support/containers/a-job.ts'
import { startMediaWorker, token, type MediaWorker } from '../support/containers/media-worker.ts'
import { packetHashes, probe } from '../support/containers/run-tool.ts'
import { aFolder } from '../support/containers/tool-context.ts'
import {
  aMediaWorker,
  aReceiver,
  aServiceForAll,
  runJob,
} from '../support/containers/service-for-all.ts'
import { campaign } from '../support/node/campaign.ts'
import { percentsOf } from '../support/containers/receiver.ts'

const service = aServiceForAll({})

type Work = { urls: readonly string[]; options?: Record<string, unknown>; at?: MediaWorker }

/** Sends a job and waits for its last report. */
async function run({ urls, options, at = service.worker }: Work) {
  return runJob(at, { inputs: urls, jobId: 'j_aaaaaaaaaaaaaaaa', ...(options && { options }) })
}

/** Work that stays in this phase for longer than a test needs to interfere. */
const longWork = {
  measuring: {
    source: { seconds: 400, fps: 1 },
    options: { removeNoise: true },
  },
  rendering: {
    source: { seconds: 15, size: '640x480', fps: 30, tone: null },
    options: { outputFormat: 'webm' },
  },
} as const
type LongPhase = keyof typeof longWork
type LongJob = { at?: MediaWorker; phase?: LongPhase; jobId?: string; heartbeatSeconds?: number }

const longSource = async (phase: LongPhase = 'rendering'): Promise<string> =>
  service.sources.file(await makeVideo(longWork[phase].source))

/** Waits for the slot: a media worker answers a cancel after four seconds, also if the job has not ended by then. */
async function isFree({ origin }: MediaWorker): Promise<void> {
  await eventually(async () => {
    expect(await (await fetch(`${origin}/health`)).json()).toMatchObject({ running: 0 })
  })
}

/** Starts a job, and waits until it works in this phase. */
async function startLongJob({ at = service.worker, phase = 'rendering', ...rest }: LongJob = {}) {
  const receiver = await aReceiver()
  await isFree(at)
  const job = aJob({
    inputs: [await longSource(phase)],
    reportsUrl: receiver.reportsUrl,
    options: longWork[phase].options,
    ...{ jobId: `j_${phase}`, heartbeatSeconds: 10, ...rest },
  })
  expect((await at.post('/jobs', job)).status).toBe(202)
  await receiver.when((said) => said.type === 'progress' && said.phase === phase)
  return { receiver, job }
}

/** The names of the programs that run inside a folder. */
async function programsIn(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return cwd.startsWith(folder) ? readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '') : ''
    }),
  )
  return found.filter((name) => name !== '').map((name) => name.trim())
}

/** Waits until the work folder holds no job; the file system reports each change. */
async function emptied(folder: string): Promise<void> {
  const watcher = watch(folder)
  const jobs = async () => (await readdir(folder)).filter((name) => name.startsWith('job-'))
  try {
    const changes = on(watcher, 'change')
    while ((await jobs()).length > 0) await changes.next()
  } finally {
    watcher.close()
  }
}

describe('POST /jobs', () => {
  it('copies a video that needs no change bit by bit, and reports it', async () => {
    const source = await makeVideo({ seconds: 2 })
    const { receiver, end } = await run({ urls: [service.sources.file(source)] })
    expect(end).toMatchObject({
      type: 'succeeded',
      fence: 1,
      warnings: [],
      videoMetadata: { width: 160, height: 120, fps: 25 },
      trace: { plan: { video: 'copy', audio: 'copy', steps: [] } },
    })
    const file = path.join(await aFolder(), 'out.mp4')
    await writeFile(file, receiver.output())
    expect(await packetHashes(file, '0:v')).toEqual(await packetHashes(source, '0:v'))
    if (end.type !== 'succeeded') throw new Error('Not succeeded')
    expect(end.videoMetadata?.sizeInBytes).toBe(receiver.output().length)
    expect(end.videoMetadata?.duration).toBeCloseTo(2, 1)
    expect(end.trace.phases.map(({ name }) => name)).toEqual([
      'fetching',
      'measuring',
      'rendering',
      'uploading',
    ])
    expect(JSON.stringify(end.trace.commands)).not.toContain(service.worker.workDir)
  })

  it('encodes to another format', async () => {
    const url = service.sources.file(await makeVideo({ seconds: 1 }))
    const options = { outputFormat: 'webm', compressionQuality: 30 }
    const { receiver, end } = await run({ urls: [url], options: { ...options, removeNoise: true } })
    const file = path.join(await aFolder(), 'out.webm')
    await writeFile(file, receiver.output())
    expect((await probe(file)).streams.map((stream) => stream['codec_name'])).toEqual([
      'vp9',
      'opus',
    ])
    expect(receiver.outputRequests).toMatchObject([
      { extension: 'webm', contentType: 'video/webm' },
      { extension: 'jpg', contentType: 'image/jpeg' },
    ])
    expect(end).toMatchObject({ type: 'succeeded' })
  })

  it('combines clips, and reports progress that only grows', async () => {
    const urls = [
      service.sources.file(await makeVideo({ seconds: 1 })),
      service.sources.file(await makeVideo({ seconds: 1, size: '90x160', tone: null })),
    ]
    const { receiver, end } = await run({ urls, options: { combine: true } })
    expect(end).toMatchObject({
      type: 'succeeded',
      videoMetadata: { width: 160, height: 120, fps: 25 },
      trace: { plan: { steps: ['join-sources'] } },
    })
    const percents = percentsOf(receiver.reports)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
    const sequences = receiver.reports.map(({ sequence }) => sequence)
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
  })

  it('fails a playlist that pretends to be a video, and opens no address in it', async () => {
    const trap = service.sources.route('/trap', (_request, response) => response.end('x'))
    const url = service.sources.route('/video.mp4', (_request, response) =>
      response.end(`#EXTM3U\n#EXTINF:1,\n${trap}\n`),
    )
    const { end } = await run({ urls: [url] })
    expect(end).toMatchObject({ type: 'failed', reason: 'source_not_media', retryable: false })
    expect(service.sources.hits).not.toContain('/trap')
  })

  it('leaves nothing in its work folder after a job, even a failed one', async () => {
    await run({ urls: [`${service.sources.origin}/nothing`] })
    await emptied(service.worker.workDir)
  })

  it('never logs a query or a token', async () => {
    await run({ urls: [`${service.sources.origin}/nothing?signature=secret`] })
    const text = service.worker.logLines.join('\n')
    expect(text).toContain('Job accepted')
    expect(text).not.toContain('=secret')
    expect(text).not.toContain(token)
  })

  it('refuses a wrong signature before it reads the body', async () => {
    expect((await service.worker.post('/jobs', 'no json', 'another-secret-entirely')).status).toBe(
      401,
    )
    expect(
      (await fetch(`${service.worker.origin}/jobs`, { method: 'POST', body: '{}' })).status,
    ).toBe(401)
  })

  it('refuses a job with an unknown field, and names the field', async () => {
    const job = aJob({ inputs: ['http://a.example/'], reportsUrl: 'http://b.example/' })
    const response = await service.worker.post('/jobs', {
      ...job,
      options: { ...job.options, mirror: true },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: 'ValidationError',
      message: 'The job was not understood. options.mirror: Unknown field',
    })
  })

  it('refuses a body above the cap', async () => {
    const body = 'x'.repeat(partJobBytes + 1)
    const signature = await signMessage(token, body, Date.now())
    const response = await fetch(`${service.worker.origin}/jobs`, {
      method: 'POST',
      body,
      headers: { [signatureHeader]: signature },
    })
    expect(response.status).toBe(413)
  })
})

describe('slots', () => {
  it('are busy while a job runs', async () => {
    const { job } = await startLongJob()
    const other = await service.worker.post('/jobs', { ...job, jobId: 'j_other' })
    expect([other.status, other.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await service.worker.post('/jobs', job)).status).toBe(202)
    const health = await fetch(`${service.worker.origin}/health`)
    expect(await health.json()).toMatchObject({ status: 'ok', slots: 1, running: 1, fetching: 0 })
    const { jobId, fence } = job
    const stale = await service.worker.post('/jobs/cancel', { jobId, fence: fence + 1 })
    expect(await stale.json()).toEqual({ canceled: false })
    await service.worker.post('/jobs/cancel', { jobId, fence })
  })

  const phasesUntil = {
    measuring: ['fetching', 'measuring'],
    rendering: ['fetching', 'measuring', 'rendering'],
  }
  for (const phase of ['measuring', 'rendering'] as const) {
    it(`are freed without a process left when a job is canceled while ${phase}`, async () => {
      const { receiver, job } = await startLongJob({ phase })
      await eventually(async () =>
        expect(await programsIn(service.worker.workDir)).toContain('ffmpeg'),
      )
      const { jobId, fence } = job
      const canceled = await service.worker.post('/jobs/cancel', { jobId, fence })
      const { phases, commands } = cancelAnswer.parse(await canceled.json()).trace ?? {}
      expect(phases?.map(({ name }) => name)).toEqual(phasesUntil[phase])
      // A rendering is one long ffmpeg; measuring runs several programs, of which any may be the last.
      const last = phase === 'rendering' ? /^ffmpeg$/ : /^ff(mpeg|probe)$/
      expect(commands?.at(-1)?.program).toMatch(last)
      const health = await fetch(`${service.worker.origin}/health`)
      expect(await health.json()).toMatchObject({ running: 0 })
      await emptied(service.worker.workDir)
      // A program that was killed is still listed for a moment.
      await eventually(async () => expect(await programsIn(service.worker.workDir)).toEqual([]))
      expect(receiver.reports.map(({ type }) => type)).not.toContain('failed')
    })
  }

  campaign('become free when the Worker answers stop', async () => {
    const { receiver } = await startLongJob({ jobId: 'j_stopped', heartbeatSeconds: 0.2 })
    receiver.answerWith({ status: 200, body: { action: 'stop' } })
    await emptied(service.worker.workDir)
    const ends = receiver.reports.filter(({ type }) => !['progress', 'fetched'].includes(type))
    expect(ends).toEqual([])
  })
})

describe('limits', () => {
  campaign('end an ffmpeg that takes too much memory', async () => {
    const small = await aMediaWorker({ FFMPEG_MEMORY_BYTES: '20000000' })
    const { end } = await run({
      at: small,
      urls: [await longSource()],
      options: longWork.rendering.options,
    })
    expect(end).toMatchObject({ type: 'failed', reason: 'out_of_resources' })
  })

  campaign('fail a result larger than allowed', async () => {
    const small = await aMediaWorker({ MAX_OUTPUT_BYTES: '20000' })
    const options = { outputFormat: 'mov' }
    const { end } = await run({ at: small, urls: [await longSource()], options })
    expect(end).toMatchObject({ type: 'failed', reason: 'output_too_large' })
  })
})

it('SIGTERM gives running jobs back, and leaves no process', async () => {
  const leaving = await aMediaWorker({})
  const { receiver } = await startLongJob({ at: leaving })
  leaving.kill('SIGTERM')
  const released: Report = await receiver.next('released')
  expect(released).toMatchObject({ type: 'released', fence: 1 })
  expect(await leaving.exited).toBe(0)
  expect(await programsIn(leaving.workDir)).toEqual([])
})

describe('start', () => {
  it('ends with code 2 when a setting is wrong', async () => {
    await expect(startMediaWorker({ MEDIA_SLOTS: 'many' })).rejects.toThrow('ended with 2')
  })

  it('answers unknown routes in JSON', async () => {
    const response = await fetch(`${service.worker.origin}/nothing`)
    expect([response.status, await response.json()]).toEqual([
      404,
      { error: 'NotFound', message: 'No such route' },
    ])
  })
})
