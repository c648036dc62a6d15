import type { JsonSchema } from '../openapi/json-schemas.ts'

/** A type in words; the parts that name a schema carry its name. */
export type TypePart = { text: string; schema?: string }

export type DocumentedField = {
  name: string
  type: TypePart[]
  required: boolean
  /** Written as JSON. */
  default?: string
  allowed: string[]
  description: string
}

/** One row per property, and one for each property of a nested object that has no schema name of its own. */
export function listFields(schema: JsonSchema, prefix = ''): DocumentedField[] {
  const required = asTexts(schema['required'])
  return Object.entries(asSchemas(schema['properties'])).flatMap(([name, property]) => [
    describeField(prefix + name, property, required.includes(name)),
    ...listNested(prefix + name, property),
  ])
}

function listNested(name: string, property: JsonSchema): DocumentedField[] {
  const items = asSchema(property['items'])
  if (items['properties'] !== undefined) return listFields(items, `${name}[].`)
  const values = asSchema(property['additionalProperties'])
  if (values['properties'] !== undefined) return listFields(values, `${name}.*.`)
  return property['properties'] === undefined ? [] : listFields(property, `${name}.`)
}

export function describeField(
  name: string,
  schema: JsonSchema,
  required: boolean,
): DocumentedField {
  return {
    name,
    type: describeType(schema),
    required,
    ...(schema['default'] === undefined ? {} : { default: JSON.stringify(schema['default']) }),
    allowed: describeAllowed(schema),
    description: typeof schema['description'] === 'string' ? schema['description'] : '',
  }
}

export function describeType(schema: JsonSchema): TypePart[] {
  const { $ref, type } = schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? ''
    return [{ text: name, schema: name }]
  }
  const choices = [...asList(schema['anyOf']), ...asList(schema['oneOf'])]
  if (type === undefined && choices.length > 0) return joinTypes(choices.map(describeType))
  if (type === 'array') return [{ text: 'array of ' }, ...describeType(asSchema(schema['items']))]
  if (Array.isArray(type)) return [{ text: type.join(' or ') }]
  return [{ text: typeof type === 'string' ? formatted(type, schema['format']) : 'any JSON' }]
}

const formats: Record<string, string> = { 'date-time': 'timestamp', uri: 'URL' }

function formatted(type: string, format: unknown): string {
  return (typeof format === 'string' && formats[format]) || type
}

function joinTypes(types: TypePart[][]): TypePart[] {
  return types.flatMap((parts, i) => (i === 0 ? parts : [{ text: ' or ' }, ...parts]))
}

function describeAllowed(schema: JsonSchema): string[] {
  const own = [
    ...asList(schema['enum']).map((value) => JSON.stringify(value)),
    ...(schema['const'] === undefined ? [] : [JSON.stringify(schema['const'])]),
    ...range(schema['minimum'], schema['maximum'], ''),
    ...range(schema['minLength'], schema['maxLength'], ' characters'),
    ...range(schema['minItems'], schema['maxItems'], ' entries'),
    ...describePattern(schema),
  ]
  const items = schema['items'] === undefined ? [] : [asSchema(schema['items'])]
  const nested = [...asList(schema['anyOf']), ...items]
  return [...own, ...nested.flatMap(describeAllowed)]
}

function range(least: unknown, most: unknown, unit: string): string[] {
  if (typeof least === 'number' && typeof most === 'number') return [`${least} to ${most}${unit}`]
  if (typeof most === 'number') return [`at most ${most}${unit}`]
  return typeof least === 'number' ? [`at least ${least}${unit}`] : []
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
}

function asSchemas(value: unknown): Record<string, JsonSchema> {
  return asSchema(value) as Record<string, JsonSchema>
}

function asList(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? (value as JsonSchema[]) : []
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

/** The format tells a person enough; the pattern behind it, as for a date, is for programs. */
function describePattern({ format, pattern }: JsonSchema): string[] {
  if (format === 'date') return ['a date: 2026-11-21']
  return typeof pattern === 'string' ? [`matches ${pattern}`] : []
}
