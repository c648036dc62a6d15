import type { JsonSchema } from '../../worker/reference/openapi/json-schemas.ts'

/** What members an object has with others in common: with their comments, by what they are without. */
export type BaseType = { name: string; members: ReadonlyMap<string, string> }

export type NamedTypes = {
  /** What the type of a referred schema is called. */
  nameOf: (schemaName: string) => string
  /** Names of types, by how they read. */
  names: ReadonlyMap<string, string>
  bases: readonly BaseType[]
}

/** How a schema reads as a type in TypeScript. */
export function writeType(schema: JsonSchema, known: NamedTypes): string {
  const text = spellOut(schema, known)
  return known.names.get(text) ?? text
}

function spellOut(schema: JsonSchema, known: NamedTypes): string {
  const { $ref, const: constant, enum: values, type, items } = schema
  const choices = schema['oneOf'] ?? schema['anyOf']
  const inner = (one: unknown) => writeType(one as JsonSchema, known)
  if (typeof $ref === 'string') return known.nameOf($ref.split('/').at(-1) ?? '')
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  // An object may carry combinations of its own properties; the service explains those better than a type.
  if (Array.isArray(choices) && !schema['properties']) return choices.map(inner).join(' | ')
  if (Array.isArray(type))
    return type.map((one: unknown) => inner({ ...schema, type: one })).join(' | ')
  if (type === 'array') return `Array<${inner(items ?? {})}>`
  if (type === 'object') return writeObject(schema, known)
  return plainTypes[String(type)] ?? 'unknown'
}

const plainTypes: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

function writeObject(schema: JsonSchema, known: NamedTypes): string {
  const { properties, additionalProperties: others } = schema
  if (!properties) {
    return typeof others === 'object'
      ? `Record<string, ${writeType(others as JsonSchema, known)}>`
      : 'Record<string, unknown>'
  }
  const members = membersOf(schema, known)
  const bases = known.bases.filter((base) =>
    [...base.members.keys()].every((one) => members.has(one)),
  )
  const own = [...members].filter(([member]) => !bases.some((base) => base.members.has(member)))
  const text = `{\n${own.map(([, written]) => written).join('\n')}\n}`
  return [...bases.map(({ name }) => name), ...(own.length > 0 ? [text] : [])].join(' & ')
}

/** The members of an object with their comments, by what they are without. */
export function membersOf(schema: JsonSchema, known: NamedTypes): ReadonlyMap<string, string> {
  const required = new Set(schema['required'] as string[] | undefined)
  const all = Object.entries(schema['properties'] as Record<string, JsonSchema>)
  return new Map(
    all.map(([name, property]) => {
      const type = writeType(property, known)
      // A program that turns on exactOptionalPropertyTypes can then still pass on what it may not have.
      const member = required.has(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`
      return [member, `${docComment(property)}${member}`]
    }),
  )
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
