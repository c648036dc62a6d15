import { z } from 'zod'
import type { AnalysisProvider } from '../analysis-provider.ts'
import type { KeyedSettings } from '../../providers/call-provider.ts'
import { createRemoteAnalysis, type AnswerShape } from './remote-analysis.ts'

const answer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1),
})

const formats = ({ name, schema }: AnswerShape) => [
  { type: 'json_schema', json_schema: { name, strict: true, schema } },
  { type: 'json_object' },
  undefined,
]

/** Any server that offers `POST /chat/completions` and accepts pictures. */
export function createOpenaiAnalysis(settings: KeyedSettings): AnalysisProvider {
  const { baseUrl, apiKey, model } = settings
  return createRemoteAnalysis(
    {
      name: 'openai',
      url: `${baseUrl}/chat/completions`,
      apiKey,
      bodies: (messages, shape) =>
        formats(shape).map((format) => ({
          ...{ model, messages },
          ...(format && { response_format: format }),
        })),
      contentOf: (body) => answer.safeParse(body).data?.choices[0]?.message.content,
    },
    settings,
  )
}
