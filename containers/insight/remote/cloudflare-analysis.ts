import { z } from 'zod'
import type { AnalysisProvider } from '../analysis-provider.ts'
import type { Patience } from '../../providers/call-provider.ts'
import type { Dialect } from './ask-model.ts'
import { createRemoteAnalysis } from './remote-analysis.ts'

type CloudflareSettings = Patience & {
  readonly baseUrl: string
  readonly accountId: string | undefined
  readonly apiToken: string | undefined
  readonly model: string
}

/** The model's text, or an object if JSON was asked for. */
const answer = z.object({
  success: z.literal(true),
  result: z.object({ response: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
})

/** Models of Workers AI, over REST. */
export function cloudflareDialect(settings: CloudflareSettings): Dialect {
  const { baseUrl, accountId = '', apiToken, model } = settings
  return {
    name: 'cloudflare',
    url: `${baseUrl}/accounts/${encodeURIComponent(accountId)}/ai/run/${model}`,
    apiKey: accountId === '' ? undefined : apiToken,
    bodies: ({ messages, schema, maxTokens }) =>
      [{ type: 'json_schema', json_schema: schema }, undefined].map((format) => ({
        messages,
        max_tokens: maxTokens,
        ...(format && { response_format: format }),
      })),
    contentOf: (body) => answer.safeParse(body).data?.result.response,
  }
}

/** They accept pictures only as data inside the request. */
export function createCloudflareAnalysis(settings: CloudflareSettings): AnalysisProvider {
  return createRemoteAnalysis(cloudflareDialect(settings), settings)
}
