import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { transcriptKinds } from '../../../worker/contract/job/media-job.ts'
import type { TranscriptFile } from '../../../worker/contract/video/transcript.ts'
import { videoAccepted } from '../../../worker/contract/video/video-record.ts'
import { openUpload, receivedSource } from '../../../worker/service/uploads/source-upload.ts'
import { submitVideo } from '../../../worker/service/videos/submit-video.ts'
import { openDatabase } from '../../../worker/store/database.ts'
import {
  jobAttempts,
  jobs,
  videos,
  webhookEvents,
  type AttemptRow,
  type JobRow,
  type VideoRow,
} from '../../../worker/store/tables/tables.ts'
import { eq } from 'drizzle-orm'
import { Attempt, finalText } from './attempt.ts'
import { bindings } from './bindings.ts'
import { aClient } from './accounts.ts'
import type { Answer, Client } from './client.ts'
import { advanceSeconds } from './clock.ts'
import { settleSlots } from './dispatcher.ts'
import { busy } from './media-workers.ts'
import { standIns } from './stand-ins.ts'

export const sourceUrl = 'https://media.example.com/holiday.mp4'

export type Created = { videoId: string; jobId: string }
export type Started = Created & { attempt: Attempt }
type Of = { client: Client }

/** Of a client of its own if none is given, like the others here. */
export async function aVideo(given?: Client, request: object = {}): Promise<Created & Of> {
  const client = given ?? (await aClient())
  const answer = await client.post('/v1/videos', { fileUrl: sourceUrl, ...request })
  if (answer.status !== 202) throw new Error(answer.text)
  return { client, ...videoAccepted.parse(answer.json) }
}

/** Delivers the job's message; a media worker takes it. */
export async function start(created: Created): Promise<Started> {
  const { queue, media } = standIns()
  await queue.current.deliverNext(created.jobId)
  // A job that comes while the line is read is called a moment later.
  await settleSlots()
  return { ...created, attempt: new Attempt(media.current.lastJob(created.jobId)) }
}

export async function aRunningVideo(client?: Client, request: object = {}): Promise<Started & Of> {
  const created = await aVideo(client, request)
  return { ...created, ...(await start(created)) }
}

/** Jobs that have found no slot, the first one waiting longest. */
export async function inLine(client: Client, count: number): Promise<Created[]> {
  const { media, queue } = standIns()
  media.current.takeJob = busy
  const jobs: Created[] = []
  for (let i = 0; i < count; i++) {
    advanceSeconds(1)
    const video = await aVideo(client)
    await queue.current.deliverNext(video.jobId)
    jobs.push(video)
  }
  await settleSlots()
  return jobs
}

type TranscriptKind = (typeof transcriptKinds)[number]

export async function aFinishedVideo(
  client?: Client,
  request: { enableThumbnail?: boolean } & Record<string, unknown> = {},
): Promise<Started & Of> {
  const started = await aRunningVideo(client, request)
  const written = [await started.attempt.upload('final', finalText)]
  if (request.enableThumbnail) written.push(await started.attempt.upload('thumbnail', 'a still'))
  await started.attempt.succeed(written)
  return started
}

export const spoken: TranscriptFile = {
  text: 'Hello there. <Goodbye> & thanks.',
  language: 'en',
  segments: [
    {
      startTime: 0.5,
      endTime: 1.25,
      text: 'Hello there.',
      words: [
        { startTime: 0.5, endTime: 0.8, text: 'Hello' },
        { startTime: 0.8, endTime: 1.25, text: 'there.' },
      ],
    },
    { startTime: 1.5, endTime: 2.25, text: '<Goodbye> & thanks.' },
  ],
}

export const transcriptTexts: Record<TranscriptKind, string> = {
  'transcript-json': JSON.stringify(spoken),
  'transcript-txt': `${spoken.text}\n`,
  'transcript-srt': '1\n00:00:00,500 --> 00:00:01,250\nHello there.\n',
  'transcript-vtt': 'WEBVTT\n\n00:00.500 --> 00:01.250\nHello there.\n',
}

type Transcribed = {
  request?: Record<string, unknown>
  transcript?: Record<string, unknown>
  analysis?: Record<string, unknown>
  warnings?: readonly string[]
  /** Files that are reported but never written. */
  lost?: readonly TranscriptKind[]
  /** What the files hold. */
  texts?: Partial<Record<TranscriptKind, string>>
}

export async function aTranscribedVideo(
  client?: Client,
  { request, transcript, analysis, warnings, lost = [], texts }: Transcribed = {},
): Promise<Started & Of> {
  const started = await aRunningVideo(client, { enableTranscription: true, ...request })
  const { attempt } = started
  const written = [await attempt.upload('final', finalText)]
  for (const kind of transcriptKinds) {
    const output = await attempt.upload(kind, texts?.[kind] ?? transcriptTexts[kind])
    written.push(lost.includes(kind) ? { ...output, sizeBytes: output.sizeBytes + 1 } : output)
  }
  const { text, language } = spoken
  const answer = await attempt.succeed(written, {
    transcript: { status: 'completed', text, language, ...transcript },
    ...(analysis && { analysis }),
    ...(warnings && { warnings }),
  })
  if (answer.status !== 200) throw new Error(answer.text)
  return started
}

export async function videoRow(videoId: string): Promise<VideoRow | undefined> {
  return openDatabase(bindings.DB).select().from(videos).where(eq(videos.id, videoId)).get()
}

/** Of the video that was made by a request. */
export async function rowOf(answer: Answer): Promise<VideoRow> {
  const row = await videoRow(videoAccepted.parse(answer.json).videoId)
  if (!row) throw new Error(answer.text)
  return row
}

export async function jobRow(jobId: string): Promise<JobRow | undefined> {
  return openDatabase(bindings.DB).select().from(jobs).where(eq(jobs.id, jobId)).get()
}

export async function attemptRows(jobId: string): Promise<AttemptRow[]> {
  const rows = openDatabase(bindings.DB).select().from(jobAttempts)
  return rows.where(eq(jobAttempts.jobId, jobId)).orderBy(jobAttempts.fence).all()
}

export async function eventRows(videoId: string) {
  const rows = openDatabase(bindings.DB).select().from(webhookEvents)
  return rows.where(eq(webhookEvents.videoId, videoId)).all()
}

/** Every key under the video's prefix. */
export async function objectKeys(videoId: string): Promise<string[]> {
  const { objects } = await bindings.BUCKET.list({ prefix: `videos/${videoId}/` })
  return objects.map(({ key }) => key)
}

/** Every key under the prefix of an upload. */
export async function sourceKeys(uploadId: string): Promise<string[]> {
  const { objects } = await bindings.BUCKET.list({ prefix: `uploads/${uploadId}/` })
  return objects.map(({ key }) => key)
}

/** A video whose source was stored in the way that a single request stores it. */
export async function aStoredVideo(
  given?: Client,
  more: { request?: object; fileName?: string } = {},
): Promise<Created & Of & { uploadId: string }> {
  const client = given ?? (await aClient())
  const { accountId } = client
  const { fileName = 'talk.mp4', request = {} } = more
  const announced = { accountId, fileName, contentType: 'video/mp4', partBytes: 5, sizeBytes: null }
  const opened = await openUpload(bindings, announced, 'receiving', Date.now())
  const multipart = bindings.BUCKET.resumeMultipartUpload(opened.key, opened.multipartId)
  await multipart.complete([await multipart.uploadPart(1, 'bytes')])
  const submission = await submitVideo(bindings, {
    accountId,
    request: { ...optionsSchema.parse({}), ...request },
    received: receivedSource(opened, { fileName, sizeBytes: 5 }),
    scope: undefined,
    now: Date.now(),
  })
  const { uploadId } = opened
  return { client, uploadId, ...videoAccepted.parse(JSON.parse(submission.body)) }
}
