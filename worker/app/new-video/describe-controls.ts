import { z } from 'zod'
import { describeValue } from '../../contract/answers/wording.ts'
import type { Control, Field, ItemKind, Scalar } from './control.ts'

/** The part of JSON Schema that schemas of requests are written in. */
type JsonSchema = {
  type?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  format?: string
  required?: string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  /** What a value is, in the words of the error messages. */
  words?: string
}

/**
 * The controls for all fields of a request, from its schema alone: a field that is new there has one without anything
 * being done for it. What has no control of its own is entered as JSON.
 */
export function describeControls(schema: z.ZodObject): Field[] {
  const described = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodType) jsonSchema['words'] = describeValue(zodSchema)
    },
  })
  return fieldsOf(described as JsonSchema)
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    label: nameField(name),
    ...(schema.description === undefined ? {} : { hint: schema.description }),
    isRequired: required.includes(name),
    control: controlFor(schema),
  }))
}

function controlFor(schema: JsonSchema): Control {
  if (isScalar(schema.const)) return { kind: 'fixed', value: schema.const }
  if (schema.enum !== undefined) return choice(schema, schema.enum.filter(isScalar))
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) return union(schema)
  switch (schema.type) {
    case 'boolean':
      return flag(schema)
    case 'number':
    case 'integer':
      return number(schema)
    case 'string':
      return text(schema)
    case 'array':
      return list(schema)
    case 'object':
      // An object of one's own has no fields that could be shown.
      return schema.properties ? { kind: 'group', fields: fieldsOf(schema) } : json(schema)
    default:
      return json(schema)
  }
}

/** Without a default, absent and false mean different things, and a checkbox cannot show which. */
function flag(schema: JsonSchema): Control {
  return typeof schema.default === 'boolean'
    ? { kind: 'flag', initial: schema.default }
    : choice(schema, [true, false])
}

function choice(schema: JsonSchema, values: readonly Scalar[]): Control {
  const initial = isScalar(schema.default) ? { initial: schema.default } : {}
  return { kind: 'choice', values, ...initial, unit: unitOf(schema) }
}

function number(schema: JsonSchema): Control {
  return {
    kind: 'number',
    ...(typeof schema.default === 'number' ? { initial: schema.default } : {}),
    ...(isBound(schema.minimum) ? { min: schema.minimum } : {}),
    ...(isBound(schema.maximum) ? { max: schema.maximum } : {}),
    whole: schema.type === 'integer',
    unit: unitOf(schema),
  }
}

const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER

function text(schema: JsonSchema): Control {
  const isColour = schema.words?.includes('colour') ?? false
  return {
    kind: 'text',
    ...(typeof schema.default === 'string' ? { initial: schema.default } : {}),
    looks: isColour ? 'colour' : schema.format === 'uri' ? 'address' : 'line',
    ...(schema.maxLength === undefined ? {} : { longest: schema.maxLength }),
    ...exampleOf(schema),
  }
}

function union(schema: JsonSchema): Control {
  const options = schema.anyOf ?? schema.oneOf ?? []
  const types = new Set(options.map(({ type }) => type))
  const isMixed = types.size === 2 && types.has('number') && types.has('string')
  return isMixed ? { kind: 'mixed', ...exampleOf(schema) } : json(schema)
}

function list(schema: JsonSchema): Control {
  const kinds = schema.items === undefined ? [] : itemKinds(schema.items)
  if (kinds.length === 0) return json(schema)
  return {
    kind: 'list',
    kinds,
    ...(schema.maxItems === undefined ? {} : { most: schema.maxItems }),
  }
}

/** The kinds of objects that a list takes; none if it takes anything else. */
function itemKinds(item: JsonSchema): ItemKind[] {
  const options = item.oneOf ?? item.anyOf ?? [item]
  if (!options.every(({ properties }) => properties !== undefined)) return []
  const kinds = options.map((option) => ({ option, fields: fieldsOf(option) }))
  if (kinds.length === 1) return kinds.map(({ fields }) => ({ fields }))
  return kinds.flatMap(({ fields }) => {
    const kind = fields.find(({ control }) => control.kind === 'fixed')?.control
    return kind?.kind === 'fixed' ? [{ name: String(kind.value), fields }] : []
  })
}

function json(schema: JsonSchema): Control {
  const initial = schema.default === undefined ? {} : { initial: schema.default }
  return { kind: 'json', ...initial, ...exampleOf(schema) }
}

/** From "an address such as "https://example.com/talk.mp4"". */
function exampleOf({ words = '' }: JsonSchema): { example?: string } {
  const [, example] = /such as "?(.+?)"?$/.exec(words) ?? []
  return example === undefined ? {} : { example }
}

const units: readonly [RegExp, string][] = [
  [/\bseconds?\b/i, 's'],
  [/\bdegrees\b/i, '°'],
  [/\bpixels\b/i, 'px'],
]

function unitOf({ words = '', description = '' }: JsonSchema): string {
  return units.find(([pattern]) => pattern.test(`${words} ${description}`))?.[1] ?? ''
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Written as people write them. */
const shortForms = new Map([
  ['ai', 'AI'],
  ['id', 'ID'],
  ['json', 'JSON'],
  ['url', 'address'],
])

/** The label of a field by its name: `removeSilence` → "Remove silence", `zIndex` → "Z index". */
function nameField(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => shortForms.get(word.toLowerCase()) ?? word.toLowerCase())
  const label = words.join(' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}
