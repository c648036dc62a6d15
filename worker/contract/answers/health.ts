import { z } from 'zod'

const healthStatus = z.enum(['ok', 'failing'])

const healthCheck = z.object({
  status: healthStatus,
  message: z
    .string()
    .optional()
    .describe('What is wrong with this part, or will be if nothing is done'),
})

/** The answer of GET /health, with status 200 or 503. */
export const health = z.object({
  status: healthStatus.describe('failing when any part is'),
  version: z.string().describe('Version of the service'),
  checks: z
    .record(z.string(), healthCheck)
    .describe(
      'The parts that were asked: database, storage, disk where the service runs on one, and mediaWorkers, or the containers of jobs',
    ),
})
export type Health = z.infer<typeof health>
export type HealthCheck = z.infer<typeof healthCheck>
