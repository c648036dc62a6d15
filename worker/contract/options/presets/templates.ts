import { z } from 'zod'
import type { FieldFault } from '../../answers/errors.ts'
import { possibleValues, worded } from '../../answers/wording.ts'
import { fieldPath } from '../../input/field-path.ts'
import { schemaAt, inputAt, type Path } from '../../input/schema-at.ts'
import { templateLimits } from '../../limits.ts'
import { textUpTo, wellFormed } from '../../input/text.ts'

const { names: mostNames, nameLength, valueLength } = templateLimits
const name = String.raw`[A-Za-z_][A-Za-z0-9_]{0,${nameLength - 1}}`
const placeholder = new RegExp(String.raw`\{\{ *(${name}) *\}\}`, 'g')
const alone = new RegExp(String.raw`^\{\{ *(${name}) *\}\}$`)

const nameRule = `up to ${nameLength} letters, digits and _, such as "title"`

const value = worded(
  z.union([textUpTo(valueLength).refine(...wellFormed), z.number(), z.boolean()]),
  `text of up to ${valueLength} characters, a number, true or false`,
)
export type TemplateValue = z.infer<typeof value>

/** The values with which a request fills the templates of its preset. */
export const templateValues = worded(
  z
    .record(z.string().regex(new RegExp(`^${name}$`), `Names are ${nameRule}`), value)
    .refine(
      (values) => Object.keys(values).length <= mostNames,
      `Must have at most ${mostNames} values`,
    ),
  'an object such as {"title": "Chapter one"}',
)

/** A text of a preset that contains templates. */
export type Slot = { path: Path; text: string; names: string[] }

/** Every text with templates, wherever it stands. Keys of objects are never templates. */
export function slotsOf(fields: unknown, path: Path = []): Slot[] {
  if (typeof fields === 'string') {
    const names = [...fields.matchAll(placeholder)].map(([, found = '']) => found)
    return names.length === 0 ? [] : [{ path, text: fields, names: [...new Set(names)] }]
  }
  return membersOf(fields).flatMap(([key, member]) => slotsOf(member, [...path, key]))
}

function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((member, i) => [i, member])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** The names of a preset, each with the fields that it fills. */
type NamedValue = { name: string; fields: string[] }

export function namedValues(fields: unknown): NamedValue[] {
  const found = new Map<string, string[]>()
  for (const { path, names } of slotsOf(fields)) {
    for (const one of names) found.set(one, [...(found.get(one) ?? []), fieldPath(path)])
  }
  return [...found].map(([one, filled]) => ({ name: one, fields: filled }))
}

/** Faults of the templates of a preset, whatever fills them. */
export function templateFaults(fields: unknown): FieldFault[] {
  const names = namedValues(fields)
  const tooMany =
    names.length > mostNames
      ? [{ field: 'body', message: `Must have at most ${mostNames} different {{names}}` }]
      : []
  return [...tooMany, ...strayBraces(fields, [])]
}

function strayBraces(fields: unknown, path: Path): FieldFault[] {
  if (typeof fields === 'string') {
    if (!fields.replace(placeholder, '').includes('{{')) return []
    const message = `Has {{ that begins no {{name}}; a name is ${nameRule}`
    return [{ field: fieldPath(path), message }]
  }
  return membersOf(fields).flatMap(([key, member]) => strayBraces(member, [...path, key]))
}

/**
 * Replaces templates with values, once: the content of a value is never read as a template. A template that is a whole text
 * becomes whatever type the field takes; within a text it becomes text, and within an address a percent-encoded part.
 */
export function fillTemplates(
  schema: z.ZodType,
  fields: Readonly<Record<string, unknown>>,
  valueOf: (name: string, slot: Slot) => TemplateValue | undefined,
): Record<string, unknown> {
  const filled = structuredClone(fields) as Record<string, unknown>
  for (const slot of slotsOf(fields)) {
    const parent = inputAt(filled, slot.path.slice(0, -1)) as Record<PropertyKey, unknown>
    const key = slot.path.at(-1) ?? ''
    parent[key] = fillSlot(slot, schemaAt(schema, slot.path, fields), (one) => valueOf(one, slot))
  }
  return filled
}

function fillSlot(
  slot: Slot,
  schema: z.ZodType | undefined,
  valueOf: (name: string) => TemplateValue | undefined,
): unknown {
  const [, whole] = alone.exec(slot.text) ?? []
  if (whole !== undefined) {
    const given = valueOf(whole)
    return given === undefined ? slot.text : asTaken(given, schema)
  }
  const write = writerOf(slot)
  return slot.text.replace(placeholder, (written, one: string) => {
    const given = valueOf(one)
    return given === undefined ? written : write(String(given))
  })
}

/** Values from tables and forms are text: `"12"` becomes a number where one is needed, and 12 a text where one is. */
function asTaken(given: TemplateValue, schema: z.ZodType | undefined): unknown {
  if (!schema) return given
  const readings: unknown[] = [given, String(given)]
  if (typeof given === 'string') {
    if (/^-?\d+(\.\d+)?$/.test(given)) readings.push(Number(given))
    if (given === 'true' || given === 'false') readings.push(given === 'true')
  }
  const taken = readings.filter((reading) => schema.safeParse(reading).success)
  if (taken.length > 0) return taken[0]
  // The kind that was meant gives the best message.
  return typeof given === 'string' ? readings.at(-1) : given
}

/** How a value is written into the text around it. */
function writerOf(slot: Slot): (text: string) => string {
  if (isAddress(slot)) return encodeURIComponent
  // A line break would begin another cue, an arrow its times, and < a style.
  if (fieldPath(slot.path) === 'captions.source.text')
    return (text) => text.replace(/\s+/g, ' ').replaceAll('<', '‹').replaceAll('-->', '→')
  return (text) => text
}

/** Whether the text is an address: its field is named like one, or it begins like one where it is not shown as text. */
function isAddress({ path, text }: Slot): boolean {
  const key = String(path.findLast((part) => typeof part === 'string') ?? '')
  return /url$/i.test(key) || (key !== 'text' && /^[a-z][a-z0-9+.-]*:\/\//i.test(text))
}

/** A value within an address must not lead to another folder. */
export function climbFault(slot: Slot, filled: unknown): string | undefined {
  if (typeof filled !== 'string' || !isAddress(slot) || alone.test(slot.text)) return undefined
  return dotParts(filled) > dotParts(slot.text)
    ? 'Must not be . or .. within an address'
    : undefined
}

function dotParts(address: string): number {
  return address.split(/[/?#]/).filter((part) => /^(\.|%2e){1,2}$/i.test(part)).length
}

/** Numbers, one of which any field with a number accepts. */
const numbers = [0, 0.5, 1, 2, 3, 4, 8, 10, 16, 24, 25, 50, 90, 100, 500, 1000]
const texts = ['x', '#808080', '50%', 'https://example.com/x', 'en', '00:00:10']

const passes = ['least', 'most', 'rising'] as const

/** The fields with stand-ins in place of values, in several ways: a fault that all of them show does not depend on the values. */
export function withStandIns(
  schema: z.ZodType,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] {
  return passes.map((pass) => {
    let rank = 0
    return fillTemplates(schema, fields, (_, slot) => {
      if (!alone.test(slot.text)) return 'x'
      const fitting = standInsFor(schemaAt(schema, slot.path, fields))
      if (pass === 'most') return fitting.at(-1)
      return pass === 'least' ? fitting[0] : (fitting[rank++] ?? fitting.at(-1))
    })
  })
}

function standInsFor(schema: z.ZodType | undefined): TemplateValue[] {
  const all = [...numbers, ...texts, true, ...(schema ? possibleValues(schema) : [])]
  const fitting = all.filter((one) => !schema || schema.safeParse(one).success)
  return (fitting.length === 0 ? ['x'] : fitting) as TemplateValue[]
}
