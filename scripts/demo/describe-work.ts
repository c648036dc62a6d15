import path from 'node:path'
import { z } from 'zod'
import type { Video } from '../../client/src/api-types.ts'
import type { DemoData, Phase } from './demo-data.ts'
import { save, type Workshop } from './make-video.ts'

/** The part of a plan that the page shows; a plan may have another shape in another version. */
const planWithCuts = z.object({
  cuts: z.object({
    list: z.array(z.object({ startTime: z.number(), endTime: z.number(), resultTime: z.number() })),
  }),
})

/** What was cut, what is said, and how long each part of the work took. */
export async function describeWork(
  video: Video,
  { spool, signal, out }: Workshop,
): Promise<Omit<DemoData['after'], 'sound'>> {
  const job = await spool.jobs.get(video.jobId, { signal })
  const attempt = job.attempts.at(-1)
  const transcript = await spool.transcripts.segments(video.videoId, { signal })
  const poster = 'poster.jpg'
  if (video.thumbnailUrl) await save(video.thumbnailUrl, path.join(out, poster), signal)
  const begunAt = Date.parse(attempt?.startedAt ?? video.createdAt)
  return {
    cuts: planWithCuts.parse(attempt?.plan).cuts.list,
    words: (transcript.segments ?? []).flatMap(({ words, ...segment }) => words ?? [segment]),
    phases: (attempt?.phases ?? []).map(({ name, startedAt, durationMs }): Phase => ({
      name,
      startSeconds: Math.max(0, (Date.parse(startedAt) - begunAt) / 1000),
      seconds: durationMs / 1000,
    })),
    ...(video.thumbnailUrl && { poster }),
  }
}
