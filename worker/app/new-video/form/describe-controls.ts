import { z } from 'zod'
import { describeValue } from '../../../contract/answers/wording.ts'
import type { Control, Field, ItemKind, Scalar } from './control.ts'
import { plainWords } from './plain-words.ts'
import { upperFirst } from '../../../contract/upper-first.ts'

/** The part of JSON Schema that schemas of requests are written in. */
type FormSchema = {
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
  properties?: Record<string, FormSchema>
  additionalProperties?: FormSchema | boolean
  items?: FormSchema
  anyOf?: FormSchema[]
  oneOf?: FormSchema[]
  /** What a value may be, in the words of the error messages. */
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
  return fieldsOf(described as FormSchema, '')
}

function fieldsOf({ properties = {} }: FormSchema, within: string): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = within + name
    const { label, hint, values, unset, isRare, isHidden } = plainWords(path)
    const { rest, usual } = splitHint(schema.description ?? '')
    const shownHint = hint ?? rest
    const control = controlFor(schema, path, usual)
    const field: Field = {
      name,
      label: label ?? nameField(name),
      ...(shownHint === '' ? {} : { hint: shownHint }),
      ...(isRare !== undefined && { isRare }),
      control:
        values && control.kind === 'choice'
          ? { ...control, names: values, ...(unset !== undefined && { unset }) }
          : control,
    }
    return isHidden ? [] : [field]
  })
}

/** Splits off what a description says of the default: "Where it is; bottom when absent". */
function splitHint(description: string): { rest: string; usual?: string } {
  const [, rest = '', usual] =
    /^(?:(.*?)[;.:,] )?((?:[^;.:,]|\.(?=\d))*?),? when absent$/.exec(description) ?? []
  return usual === undefined ? { rest: description } : { rest, usual }
}

function controlFor(schema: FormSchema, path: string, usual?: string): Control {
  if (isScalar(schema.const)) return { kind: 'fixed', value: schema.const }
  if (schema.enum !== undefined) return choice(schema, schema.enum.filter(isScalar), usual)
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) return union(schema, path, usual)
  switch (schema.type) {
    case 'boolean':
      return flag(schema, usual)
    case 'number':
    case 'integer':
      return number(schema, usual)
    case 'string':
      return text(schema, path, usual)
    case 'array':
      return list(schema, path)
    case 'object':
      // An object whose names the customer chooses has no fields to show.
      if (!schema.properties) return hasTexts(schema) ? { kind: 'terms' } : json(schema)
      return group(schema, path)
    default:
      return json(schema)
  }
}

/** Whether every value of an object with any names is a text. */
function hasTexts({ additionalProperties: values }: FormSchema): boolean {
  return typeof values === 'object' && values.type === 'string'
}

function group(schema: FormSchema, path: string): Control {
  const fields = fieldsOf(schema, `${path}.`)
  const isSwitched = (schema.required ?? []).length === 0 && !path.includes('.')
  return { kind: 'group', fields, isSwitched }
}

/** Without a default, an option is off when absent, unless its description says otherwise. */
function flag(schema: FormSchema, usual?: string): Control {
  if (typeof schema.default === 'boolean') return { kind: 'flag', initial: schema.default }
  return usual?.toLowerCase() === 'on'
    ? choice(schema, [true, false], undefined, true)
    : { kind: 'flag' }
}

function choice(
  schema: FormSchema,
  values: readonly Scalar[],
  named?: string,
  usual = values.find((value) => String(value) === named),
): Control {
  const initial = isScalar(schema.default) ? { initial: schema.default } : {}
  return {
    kind: 'choice',
    values,
    ...initial,
    ...(usual === undefined ? {} : { usual }),
    unit: unitOf(schema),
  }
}

function number(schema: FormSchema, usual?: string): Control {
  return {
    kind: 'number',
    ...(usual === undefined ? {} : { usual }),
    ...(typeof schema.default === 'number' ? { initial: schema.default } : {}),
    ...(isBound(schema.minimum) ? { min: schema.minimum } : {}),
    ...(isBound(schema.maximum) ? { max: schema.maximum } : {}),
    whole: schema.type === 'integer',
    unit: unitOf(schema),
  }
}

const isBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER

function text(schema: FormSchema, path: string, usual?: string): Control {
  const { isLong = false } = plainWords(path)
  const { words = '' } = schema
  // A field that takes anything besides colours, such as an address, needs a text field.
  const isColour = words.includes('colour') && !/"blur"|address/.test(words)
  return {
    kind: 'text',
    ...(typeof schema.default === 'string' ? { initial: schema.default } : {}),
    looks: isLong ? 'lines' : isColour ? 'colour' : schema.format === 'uri' ? 'address' : 'line',
    ...(schema.maxLength === undefined ? {} : { longest: schema.maxLength }),
    ...(usual === undefined ? exampleOf(schema) : { example: usual }),
  }
}

/** Where a field takes a simple value or a more detailed object, the form offers the simple value. */
function union(schema: FormSchema, path: string, usual?: string): Control {
  const options = schema.anyOf ?? schema.oneOf ?? []
  const types = new Set(options.map(({ type }) => (type === 'integer' ? 'number' : type)))
  const isMixed = types.size === 2 && types.has('number') && types.has('string')
  if (isMixed && schema.words?.includes('a time such as'))
    return { kind: 'time', example: usual ?? '0:12.5' }
  if (isMixed)
    return { kind: 'mixed', ...(usual === undefined ? exampleOf(schema) : { example: usual }) }
  const simple = options.filter(({ type }) => type !== 'object')
  const [only] = simple
  const isEither = options.length > 1 && simple.length === 1
  if (isEither && only && (only.enum || only.type === 'boolean')) {
    const control = controlFor({ default: schema.default, ...only }, path, usual)
    const isPlace = options.some(({ properties }) => properties?.['y'] !== undefined)
    return isPlace && control.kind === 'choice' ? { ...control, byHand: true } : control
  }
  return json(schema)
}

function list(schema: FormSchema, path: string): Control {
  if (isPhrase(schema.items))
    return { kind: 'phrases', ...exampleOf(schema.items.anyOf?.[0] ?? schema.items) }
  const kinds = schema.items === undefined ? [] : itemKinds(schema.items, path)
  if (kinds.length === 0) return json(schema)
  return {
    kind: 'list',
    kinds,
    ...(schema.maxItems === undefined ? {} : { most: schema.maxItems }),
  }
}

/** The kinds of objects that a list takes; none if it takes anything else. */
function itemKinds(item: FormSchema, path: string): ItemKind[] {
  const options = item.oneOf ?? item.anyOf ?? [item]
  if (!options.every(({ properties }) => properties !== undefined)) return []
  const kinds = options.map((option) => ({ option, fields: fieldsOf(option, `${path}.`) }))
  if (kinds.length === 1) return kinds.map(({ fields }) => ({ fields }))
  return kinds.flatMap(({ fields }) => {
    const kind = fields.find(({ control }) => control.kind === 'fixed')?.control
    if (kind?.kind !== 'fixed') return []
    const name = String(kind.value)
    return [{ name, label: plainWords(path).values?.[name] ?? name, fields }]
  })
}

/** Whether an item is a text, or a text with the number of the one time that is meant. */
function isPhrase(item: FormSchema | undefined): item is FormSchema {
  if (item?.type === 'string' && !item.enum) return true
  const options = item?.anyOf ?? []
  return (
    options.some(({ type }) => type === 'string') &&
    options.some(({ properties }) => properties?.['occurrence'] !== undefined)
  )
}

function json(schema: FormSchema): Control {
  const initial = schema.default === undefined ? {} : { initial: schema.default }
  return { kind: 'json', ...initial, ...exampleOf(schema) }
}

/** The example in "an address such as "https://example.com/talk.mp4"". */
function exampleOf({ words = '' }: FormSchema): { example?: string } {
  const [, example] = /such as "?(.+?)"?$/.exec(words) ?? []
  return example === undefined ? {} : { example }
}

/** The first match counts: a rate in bits a second is not a time. */
const units: readonly [RegExp, string][] = [
  [/\bbits a second\b/i, 'bit/s'],
  [/\bseconds?\b/i, 's'],
  [/\bdegrees\b/i, '°'],
  [/\bpixels\b/i, 'px'],
]

function unitOf({ words = '', description = '' }: FormSchema): string {
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
  return upperFirst(words.join(' '))
}
