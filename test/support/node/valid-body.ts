import fc from 'fast-check'
import { z } from 'zod'
import { createVideo, parseCreateVideo } from '../../../worker/contract/options/create-video.ts'
import { builtInPresets } from '../../../worker/contract/options/presets/built-in-presets.ts'

type Body = Record<string, unknown>
type Value = fc.Arbitrary<unknown>

type BodyOptions = {
  /** Used for every source: `fileUrl` and `files[].url`. */
  sourceUrl: string
  /** Used for every other file. */
  mediaUrl: string
  /** Whether about half of the bodies combine several files. */
  filesToo?: boolean
  /** The webhook address; without it no body has one. */
  webhookUrl?: string
}

/** What a JSON schema says of a value. */
type Schema = {
  readonly [rule in 'type' | 'format' | 'pattern']?: string
} & {
  readonly [rule in 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems']?: number
} & {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

/** Of these the schema says only that they are text. */
const texts: Readonly<Record<string, Value>> = {
  font: fc.constantFrom('Inter', 'Inter Black'),
  background: fc.constantFrom('#101820', '#1A2b3C'),
  preset: fc.constantFrom('clean-talk', 'vertical-clip', 'captions'),
}

const metadata = fc
  .dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

/** Its source is set by itself; the others name what an account has. */
const notFree = [
  ...['fileUrl', 'files', 'combine', 'webhookUrl', 'metadata'],
  ...['uploadId', 'sourceVideoId', 'destinations', 'values'],
]

/**
 * Any create body that the contract accepts: what its schema says of each field by itself, without what contradicts the rest of
 * the body. Only fields that name what an account has are left out.
 */
export function validBody({
  sourceUrl,
  mediaUrl,
  filesToo,
  webhookUrl,
}: BodyOptions): fc.Arbitrary<Body> {
  const schema = z.toJSONSchema(createVideo, { io: 'input', unrepresentable: 'any' }) as Schema
  const { files = {}, ...others } = schema.properties ?? {}
  const fields = Object.entries(others)
    .filter(([name]) => !notFree.includes(name))
    .map(([name, field]) => [name, valueOf(field, name, mediaUrl)] as const)
  const free: Record<string, Value> = {
    ...Object.fromEntries(fields),
    metadata,
    ...(webhookUrl !== undefined && { webhookUrl: fc.constant(webhookUrl) }),
  }
  const body = (source: Record<string, Value>): fc.Arbitrary<Body> => {
    const asked = { requiredKeys: Object.keys(source), noNullPrototype: true }
    return fc.record({ ...free, ...source }, asked).map(withoutFaults)
  }
  const single = body({ fileUrl: fc.constant(sourceUrl) })
  if (!filesToo) return single
  const several = valueOf(files, 'files', sourceUrl)
  return fc.oneof(single, body({ files: several, combine: fc.constant(true) }))
}

function valueOf(schema: Schema, name: string, url: string): Value {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const kinds = schema.anyOf ?? schema.oneOf
  // A time as a clock shows it is read as a number, and would not come back as it was sent.
  if (kinds)
    return fc.oneof(
      ...kinds
        .filter((kind) => !kind.pattern?.includes(':'))
        .map((kind) => valueOf(kind, name, url)),
    )
  if (schema.type === 'object') return objectOf(schema, url)
  if (schema.type === 'array') {
    const sizes = { minLength: schema.minItems ?? 0, maxLength: 4 }
    return fc.array(valueOf(schema.items ?? {}, name, url), sizes)
  }
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'string') return textOf(schema, name, url)
  return numberOf(schema)
}

function objectOf({ properties = {}, required = [] }: Schema, url: string): Value {
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    valueOf(field, name, url),
  ])
  return fc.record(Object.fromEntries(fields) as Record<string, Value>, {
    ...{ requiredKeys: [...required], noNullPrototype: true },
  })
}

function textOf(
  { format, pattern, minLength = 1, maxLength = 40 }: Schema,
  name: string,
  url: string,
): Value {
  if (format === 'uri') return fc.constant(url)
  const known = texts[name]
  if (known) return known
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern)).filter(({ length }) => length <= maxLength)
  const longest = Math.min(maxLength, 40)
  return fc.string({ unit: 'grapheme', minLength, maxLength: longest }).map((text) => text.trim())
}

/** JSON does not distinguish −0 from 0. */
function numberOf({ type, minimum: min = 0.001, maximum: max = 14_400 }: Schema): Value {
  const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
  if (type === 'integer') return whole
  return fc
    .oneof(fc.constantFrom(min, max), whole, fc.double({ min, max, noNaN: true }))
    .map((value) => value + 0)
}

/** Leaves out what the contract refuses, until nothing of it is left, and a preset that brings what the rest contradicts. */
function withoutFaults(body: Body): Body {
  for (let parsed = parseCreateVideo(body); !parsed.ok; parsed = parseCreateVideo(body)) {
    for (const { field, message } of parsed.faults.toReversed()) {
      const path = field.match(/[^.[\]]+/g) ?? []
      leaveOut(body, message.startsWith('Required') ? path.slice(0, -1) : path)
    }
  }
  const brought = builtInPresets.get(String(body['preset']))?.fields
  if (!parseCreateVideo({ ...brought, ...body }).ok) delete body['preset']
  return body
}

function leaveOut(body: Body, path: readonly string[]): void {
  const [name = '', ...rest] = path
  const inner = body[name]
  if (rest.length > 0)
    return typeof inner === 'object' && inner !== null ? leaveOut(inner as Body, rest) : undefined
  if (Array.isArray(body)) body.splice(Number(name), 1)
  else delete body[name]
}
