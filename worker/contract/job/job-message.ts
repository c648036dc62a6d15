import { z } from 'zod'
import { jobId } from '../ids.ts'

/**
 * A message on the job queue. It carries only ids, because the row is newer than any copy by the time a message is
 * read. Unknown fields are allowed, because the next version may have sent the message.
 */
export const jobMessage = z.object({
  kind: z.literal('dispatch'),
  jobId,
  /** The number of this message among the messages of its job. A message is ignored once a later one was sent. */
  chain: z.int().min(0),
})
export type JobMessage = z.infer<typeof jobMessage>
