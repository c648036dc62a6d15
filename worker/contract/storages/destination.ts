import { z } from 'zod'
import type { FieldFault } from '../answers/errors.ts'
import { worded } from '../answers/wording.ts'
import { closedObject } from '../input/closed-object.ts'
import { limits } from '../limits.ts'
import { mostSuggested, suggestedName, type Output } from '../options/outputs/outputs.ts'
import type { SuggestClips } from '../options/moments.ts'
import { defaultKey, firstKeyOf, keyOf, templateFault, type KeyParts } from './key-template.ts'
import { storageName } from './storage-name.ts'
import { textWithout } from '../input/text.ts'

const key = worded(textWithout(1024, templateFault), `a key such as "${defaultKey}"`)

const destination = worded(
  closedObject({
    storage: storageName.describe('A storage of your account'),
    key: key
      .default(defaultKey)
      .describe(
        'Where the file goes below the prefix of the storage, with {videoId}, {videoName}, {name} (of the output; `video` without outputs), {extension} and {date}',
      ),
    outputs: worded(
      z
        .array(z.string())
        .min(1, 'Must name at least one output; leave the field out for all')
        .max(limits.outputs, `At most ${limits.outputs} outputs`)
        .refine((list) => new Set(list).size === list.length, 'Must name each output once'),
      'a list of outputs such as ["phone"]',
    )
      .optional()
      .describe('Only these; all of them when absent'),
    keep: z
      .boolean()
      .default(true)
      .describe('false: the file is removed from the service once all of its deliveries are made'),
  }),
  'an object such as {"storage": "out"}',
)
type Destination = z.infer<typeof destination>

export const destinations = worded(
  z
    .array(destination)
    .min(1, 'Must name at least one destination')
    .max(limits.destinations, `At most ${limits.destinations} destinations`),
  'a list such as [{"storage": "out"}]',
)

const deliveryStates = ['pending', 'delivered', 'failed'] as const

/** What became of one result at one destination. */
export const shownDelivery = z.object({
  storage: storageName,
  key: z
    .string()
    .describe('The key below the prefix of the storage; of several files, that of the first one'),
  output: z.string().describe('The output; `video` if the request names none'),
  state: z.enum(deliveryStates),
  reason: z.string().optional().describe('Why it failed, or why it has not succeeded yet'),
})
export type ShownDelivery = z.infer<typeof shownDelivery>

type ResultOptions = {
  analyzeOnly: boolean
  outputFormat: string
  outputs?: readonly Output[] | undefined
  clips?: 'suggested' | undefined
  suggestClips?: SuggestClips | undefined
  destinations?: readonly Destination[] | undefined
}

/** A result that will be there: its name, how its first file ends, and whether others lie beside that. */
type ExpectedFile = { name: string; extension: string; hasFolder: boolean }

/** What the only result of a request without outputs is called. */
export const onlyResult = 'video'

export function expectedResults({
  outputFormat,
  analyzeOnly,
  ...asked
}: ResultOptions): ExpectedFile[] {
  if (analyzeOnly) return []
  const suggested = Array.from({ length: mostSuggested(asked) }, (_, i) => ({
    ...{ name: suggestedName(i), outputFormat, times: [] },
  }))
  if (!asked.outputs && suggested.length === 0)
    return [{ name: onlyResult, extension: outputFormat, hasFolder: false }]
  const outputs = [...(asked.outputs ?? []), ...suggested]
  return outputs.map(({ name, outputFormat: own = outputFormat, times = [] }) => {
    const list = listsOf.get(own)
    return { name, extension: list ?? own, hasFolder: list !== undefined || times.length > 1 }
  })
}

/** Formats whose first file lists the others. */
const listsOf: ReadonlyMap<string, string> = new Map([
  ['sprite', 'vtt'],
  ['hls', 'm3u8'],
])

/** Where the first file of a result will lie. */
export function expectedKey(
  template: string,
  parts: Omit<KeyParts, 'name' | 'extension'>,
  { name, extension, hasFolder }: ExpectedFile,
): string {
  const key = keyOf(template, { ...parts, name, extension })
  return hasFolder ? firstKeyOf(key, extension) : key
}

/** The results that go to a destination. */
export function resultsFor<Result extends { name: string }>(
  { outputs }: Pick<Destination, 'outputs'>,
  results: readonly Result[],
): Result[] {
  return results.filter(({ name }) => outputs?.includes(name) ?? true)
}

/** What is wrong between destinations, and between them and the rest of the request. */
export function destinationFaults(request: ResultOptions): FieldFault[] {
  const { destinations: asked = [], analyzeOnly, outputs, clips } = request
  // A job that makes no file says in a warning what did nothing.
  if (asked.length === 0 || analyzeOnly) return []
  const results = expectedResults(request)
  const hasNames = (outputs ?? clips) !== undefined
  const taken = new Map<string, string>()
  return asked.flatMap((one, i) => {
    const unknown = (one.outputs ?? []).flatMap((name, j): FieldFault[] => {
      if (hasNames && results.some((result) => result.name === name)) return []
      const message = hasNames
        ? `There is no output ${name} in this request`
        : 'Not used without outputs in the request: its one result is delivered'
      return [{ field: `destinations[${i}].outputs[${j}]`, message }]
    })
    const same = resultsFor(one, results).flatMap((result): FieldFault[] => {
      const place = `${one.storage}/${expectedKey(one.key, sample, result)}`
      const other = taken.get(place)
      taken.set(place, result.name)
      if (other === undefined) return []
      const message = `Would write ${other} and ${result.name} to the same key; tell them apart with {name}, or with another key`
      return [{ field: `destinations[${i}].key`, message }]
    })
    return [...unknown, ...same.slice(0, 1)]
  })
}

const sample: Omit<KeyParts, 'name' | 'extension'> = {
  videoId: 'v_00000000',
  videoName: 'video',
  date: '2026-11-21',
}
