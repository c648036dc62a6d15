import { z } from 'zod'
import type { AnalysisProvider } from '../analysis-provider.ts'
import type { Patience } from '../../providers/call-provider.ts'
import type { Dialect } from './ask-model.ts'
import { createRemoteAnalysis } from './remote-analysis.ts'

type OpenaiSettings = Patience & {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly model: string
}

const answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
})

/** Any server that offers `POST /chat/completions`. */
export function openaiDialect({ baseUrl, apiKey, model }: OpenaiSettings): Dialect {
  return {
    name: 'openai',
    url: `${baseUrl}/chat/completions`,
    apiKey,
    bodies: ({ messages, name, schema }) =>
      [
        { type: 'json_schema', json_schema: { name, strict: true, schema } },
        { type: 'json_object' },
        undefined,
      ].map((format) => ({ model, messages, ...(format && { response_format: format }) })),
    contentOf: (body) => answer.safeParse(body).data?.choices[0]?.message.content,
  }
}

/** It has to accept pictures. */
export function createOpenaiAnalysis(settings: OpenaiSettings): AnalysisProvider {
  return createRemoteAnalysis(openaiDialect(settings), settings)
}
