import { z } from 'zod'
import { jobId } from './ids.ts'

/**
 * A message on the job queue. It carries only ids, because the row is newer than any copy by the time a message is
 * read. Unknown fields are allowed, because the next version may have sent the message.
 */
export const jobMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('dispatch'),
    jobId,
    /** The number of this message among the messages of its job. A message is ignored once a later one was sent. */
    chain: z.int().min(0).default(0),
    /** Which database the job was in; absent for the first one. */
  }),
  z.object({
    /** It is this job's turn: a slot has become free, or the job is to find out on behalf of all whether one has. */
    kind: z.literal('turn'),
    jobId,
    /** When the turn was given, which also identifies it. */
    at: z.int().min(0),
    /** How often the message is sent again while no slot is free. */
    triesLeft: z.int().min(0),
  }),
])
export type JobMessage = z.infer<typeof jobMessage>
export type TurnMessage = Extract<JobMessage, { kind: 'turn' }>
