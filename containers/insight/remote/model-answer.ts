import { z } from 'zod'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'
import { ProviderFault } from '../../providers/provider-fault.ts'
import { unknownLocation, type Analysis } from '../analysis-provider.ts'

/** The fields that the model is asked to fill in. */
export const answerSchema = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'string' } },
    summary: { type: 'string' },
    estimatedLocation: { type: 'string' },
  },
  required: ['tags', 'summary', 'estimatedLocation'],
  additionalProperties: false,
} as const

/** Other fields are ignored: even if a picture misleads the model, it can say nothing but these three. */
const answer = z.object({
  tags: z.array(z.string()),
  summary: z.string(),
  estimatedLocation: z.string().nullish(),
})

const maxTags = 20
const maxTagChars = 60
const maxSummaryChars = 2_000
const maxLocationChars = 200

/** Reads the model's text, or the object that some servers make of it; refuses any other shape. */
export function parseModelAnswer(content: unknown): Analysis {
  const parsed = answer.safeParse(toldJson(content))
  const summary = parsed.success ? plainText(parsed.data.summary, maxSummaryChars) : ''
  if (!parsed.success || summary === '') {
    throw new ProviderFault('unreadable', {
      cause: parsed.error ?? new Error('The summary is empty'),
    })
  }
  const { tags, estimatedLocation } = parsed.data
  const distinct = new Map(
    tags
      .map((tag) => plainText(tag, maxTagChars))
      .filter((tag) => tag !== '')
      .map((tag) => [tag.toLowerCase(), tag]),
  )
  const location = plainText(estimatedLocation ?? '', maxLocationChars)
  const isUnknown = /^(|unknown|n\/?a|none|null|not (known|specified|clear))\.?$/i.test(location)
  return {
    tags: [...distinct.values()].slice(0, maxTags),
    summary,
    estimatedLocation: isUnknown ? unknownLocation : location,
  }
}

/** The JSON of a model's text, or the object that some servers make of it. */
export function toldJson(content: unknown): unknown {
  return typeof content === 'string' ? jsonOf(withoutFence(content)) : content
}

/** Some models put JSON into a fenced block, whatever the prompt says. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text
}

export function plainText(text: string, maxChars: number): string {
  const plain = text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .toWellFormed()
  return plain.length > maxChars ? `${plain.slice(0, maxChars - 1).toWellFormed()}…` : plain
}
