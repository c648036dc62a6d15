import { z } from 'zod'
import type { AnalysisProvider } from '../analysis-provider.ts'
import type { CloudflareSettings } from '../../providers/call-provider.ts'
import { createRemoteAnalysis, type AnswerShape } from './remote-analysis.ts'

/** The model's text, or an object if JSON was asked for. */
const answer = z.object({
  success: z.literal(true),
  result: z.object({ response: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
})

const formats = ({ schema }: AnswerShape) => [
  { type: 'json_schema', json_schema: schema },
  undefined,
]
const maxTokens = 1_024

/** Vision models of Workers AI, over REST. They accept pictures only as data inside the request. */
export function createCloudflareAnalysis(settings: CloudflareSettings): AnalysisProvider {
  const { baseUrl, accountId = '', apiToken, model } = settings
  return createRemoteAnalysis(
    {
      name: 'cloudflare',
      url: `${baseUrl}/accounts/${encodeURIComponent(accountId)}/ai/run/${model}`,
      apiKey: accountId === '' ? undefined : apiToken,
      bodies: (messages, shape) =>
        formats(shape).map((format) => ({
          messages,
          max_tokens: maxTokens,
          ...(format && { response_format: format }),
        })),
      contentOf: (body) => answer.safeParse(body).data?.result.response,
    },
    settings,
  )
}
