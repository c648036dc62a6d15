import type { JsonSchema } from '../../worker/reference/openapi/openapi-types.ts'

/** How a schema reads as a type in TypeScript. `nameOf` says what the type of a referred schema is called. */
export function writeType(schema: JsonSchema, nameOf: (schemaName: string) => string): string {
  const { $ref, const: constant, enum: values, type, items } = schema
  const choices = schema['oneOf'] ?? schema['anyOf']
  const inner = (one: unknown) => writeType(one as JsonSchema, nameOf)
  if (typeof $ref === 'string') return nameOf($ref.split('/').at(-1) ?? '')
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  // An object may carry combinations of its own properties; the service explains those better than a type.
  if (Array.isArray(choices) && !schema['properties']) return choices.map(inner).join(' | ')
  if (Array.isArray(type))
    return type.map((one: unknown) => inner({ ...schema, type: one })).join(' | ')
  if (type === 'array') return `Array<${inner(items ?? {})}>`
  if (type === 'object') return writeObject(schema, inner)
  return plainTypes[String(type)] ?? 'unknown'
}

const plainTypes: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

function writeObject(schema: JsonSchema, inner: (schema: unknown) => string): string {
  const { properties, additionalProperties: others } = schema
  if (!properties) {
    return typeof others === 'object'
      ? `Record<string, ${inner(others)}>`
      : 'Record<string, unknown>'
  }
  const required = new Set(schema['required'] as string[] | undefined)
  const lines = Object.entries(properties as Record<string, JsonSchema>).map(([name, property]) => {
    const type = inner(property)
    // A program that turns on exactOptionalPropertyTypes can then still pass on what it may not have.
    const member = required.has(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`
    return `${docComment(property)}${member}`
  })
  return `{\n${lines.join('\n')}\n}`
}

/** What the schema says about itself, for an editor to show. */
export function docComment(schema: JsonSchema): string {
  const { description, default: usual, minimum, maximum } = schema
  const said = [
    typeof description === 'string' ? `${description.replaceAll('*/', '* /')}.` : '',
    minimum !== undefined && maximum !== undefined
      ? `From ${scalar(minimum)} to ${scalar(maximum)}.`
      : '',
    usual === undefined ? '' : `When absent: \`${scalar(usual)}\`.`,
  ]
  const text = said.filter((part) => part !== '').join(' ')
  return text === '' ? '' : `/** ${text} */\n`
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
