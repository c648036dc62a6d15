import { defined } from '../../worker/contract/defined.ts'
import { clockTime } from '../../worker/contract/input/clock-time.ts'
import type { Document, JsonSchema } from '../../worker/reference/openapi/json-schemas.ts'

type Written = Record<string, unknown>
type Resolve = (schema: JsonSchema) => JsonSchema

/** The flags of the command line that set the fields of POST /v1/videos, as a TypeScript module. */
export function writeRequestFlags({ components }: Document): string {
  const schema = components.requestBodies['CreateVideo']?.content['application/json']?.schema
  if (!schema) throw new Error('POST /v1/videos has no JSON body')
  const resolve: Resolve = (one) => {
    const { $ref } = one
    if (typeof $ref !== 'string') return one
    const found = components.schemas[$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`${$ref} is not described`)
    return resolve({ ...found, ...without(one, '$ref') })
  }
  const flags = Object.entries(propertiesOf(schema)).map(([field, one]) =>
    flagOf(field, resolve(one), resolve),
  )
  return `// Written by \`npm run client\` from the description of the API. Do not edit it.
import type { RequestFlag } from './flag.ts'

/** In the order of the description, a flag a line. */
// oxfmt-ignore
export const requestFlags: readonly RequestFlag[] = [
${flags.map((flag) => `  ${JSON.stringify(flag)},`).join('\n')}
]
`
}

function flagOf(field: string, schema: JsonSchema, resolve: Resolve): Written {
  const { description, minimum, maximum, default: usual, examples, pattern } = schema
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
  return defined({
    field,
    name: flagName(field),
    ...kindOf(schema, resolve),
    help: typeof description === 'string' ? flagsIn(description) : description,
    minimum,
    maximum,
    pattern,
    example: plainText(example),
    usual: plainText(usual),
  })
}

function flagName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** What a description says about other fields, as the command line calls them. */
function flagsIn(description: string): string {
  return description
    .replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (field) => `--${flagName(field)}`)
    .replaceAll(/\b(\w+): true\b/g, '--$1')
}

function plainText(value: unknown): string | undefined {
  return typeof value === 'string' || value === undefined ? value : JSON.stringify(value)
}

function kindOf(schema: JsonSchema, resolve: Resolve): Written {
  const { type, enum: choices, items, format } = schema
  if (Array.isArray(choices)) return { kind: 'choice', choices: choices as unknown[] }
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'number' || type === 'integer') return { kind: 'number' }
  if (type === 'string') return { kind: 'text', ...(format === 'uri' ? { value: 'URL' } : {}) }
  if (type === 'array') {
    const item = resolve((items ?? {}) as JsonSchema)
    const keys = leavesOf(item, resolve)
    const plain = takes('string', item, resolve) ? { plain: true } : {}
    return { kind: 'list', ...(Object.keys(keys).length > 0 ? { keys } : {}), ...plain }
  }
  const keys = leavesOf(schema, resolve)
  const isOpen = schema['additionalProperties'] !== false
  const orSwitch = takes('boolean', schema, resolve) ? { orSwitch: true } : {}
  return {
    kind: 'object',
    ...(isOpen || Object.keys(keys).length > 0 ? { keys } : {}),
    ...orSwitch,
  }
}

function takes(kind: string, schema: JsonSchema, resolve: Resolve): boolean {
  const variants = schema['anyOf']
  const all = Array.isArray(variants) ? (variants as JsonSchema[]).map(resolve) : [schema]
  return all.some(({ type }) => type === kind)
}

/**
 * What `--elements key=value` may set, by path: of all variants together, because the service knows which keys belong to
 * which variant. Lists inside of a value are left to JSON.
 */
function leavesOf(schema: JsonSchema, resolve: Resolve): Record<string, string> {
  const variants = schema['oneOf'] ?? schema['anyOf']
  const own = Object.entries(propertiesOf(schema)).flatMap(([name, one]): [string, string][] => {
    const inner = resolve(one)
    if (inner['type'] === 'array') return []
    const below = Object.entries(leavesOf(inner, resolve))
    if (below.length > 0) return below.map(([path, kind]) => [`${name}.${path}`, kind])
    return [[name, leafKind(inner)]]
  })
  const all = Array.isArray(variants)
    ? variants.flatMap((one) => Object.entries(leavesOf(resolve(one as JsonSchema), resolve)))
    : []
  const leaves: Record<string, string> = {}
  for (const [path, kind] of [...own, ...all]) {
    leaves[path] = (leaves[path] ?? kind) === kind ? kind : 'any'
  }
  return leaves
}

/** Seconds may be given as a number or as a time such as 0:12.5. */
function isTime({ anyOf: kinds }: JsonSchema): boolean {
  const isClock = ({ pattern }: JsonSchema) => pattern === clockTime.source
  return Array.isArray(kinds) && (kinds as JsonSchema[]).some(isClock)
}

function leafKind(schema: JsonSchema): string {
  const { type, const: constant, enum: choices } = schema
  if (isTime(schema)) return 'time'
  const [one = constant] = Array.isArray(choices) ? (choices as unknown[]) : []
  if (type === 'string' || typeof one === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : 'any'
}

function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return (schema['properties'] ?? {}) as Record<string, JsonSchema>
}

function without(schema: JsonSchema, key: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key))
}
