import { z } from 'zod'
import { jobId } from './ids.ts'

/**
 * What the queue of jobs carries: ids only, as there is more to know in the row by the time it is read. A field that
 * this version does not know does not make a message unreadable: the next version may have sent it.
 */
export const jobMessage = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('dispatch'),
    jobId,
    /** Which message of its job this is; one that has been followed by another says nothing any more. */
    chain: z.int().min(0).default(0),
  }),
  z.object({
    /** It is this job's turn: a slot has fallen free, or it is to find out for all whether there is one. */
    kind: z.literal('turn'),
    jobId,
    /** When the turn was given; it names it. */
    at: z.int().min(0),
    /** How often it is tried again, when no slot is free yet. */
    triesLeft: z.int().min(0),
  }),
])
export type JobMessage = z.infer<typeof jobMessage>
export type TurnMessage = Extract<JobMessage, { kind: 'turn' }>
