import { z } from 'zod'
import { errorTable, type ErrorCode } from './errors.ts'

const errorCodes = Object.keys(errorTable) as ErrorCode[]

const fieldFault = z.object({
  field: z.string().describe('Path of the field, such as elements[2].position.anchor'),
  message: z.string().describe('What is wrong with it'),
})

/** The body of every answer that is an error. */
export const errorBody = z.object({
  error: z.enum(errorCodes).describe('Kind of error, stable for programs'),
  message: z.string().describe('What is wrong, for people'),
  details: z.array(fieldFault).optional().describe('One entry per fault of the request'),
  retryAfter: z.int().min(0).optional().describe('Seconds to wait; as in Retry-After'),
  requestId: z
    .string()
    .optional()
    .describe('With status 500 and above: quote it when you report the problem'),
})
export type ErrorBody = z.infer<typeof errorBody>
