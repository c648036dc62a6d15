import { z } from 'zod'
import { innerSchema, valuesOf } from '../answers/wording.ts'

export type Path = readonly PropertyKey[]

/** The schema of the value at a path. In a union of objects, the input's own kind decides which one. */
export function schemaAt(schema: z.ZodType, path: Path, input: unknown): z.ZodType | undefined {
  const [key, ...rest] = path
  if (key === undefined) return schema
  const inner = chosenKind(innerSchema(schema), input)
  const next = inner && memberOf(inner, key)
  return next && schemaAt(next, rest, inputAt(input, [key]))
}

/** Picks from a union of objects the kind that the input names; returns any other schema unchanged. */
export function chosenKind(schema: z.ZodType, input: unknown): z.ZodType | undefined {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return objectInstead(schema, input)
  const { discriminator } = schema.def
  const given = inputAt(input, [discriminator])
  return objectsOf(schema).find((option) => kindsOf(option, discriminator).includes(String(given)))
}

/** Of a union such as `true | { color }` the object, if the input is one. */
function objectInstead(schema: z.ZodType, input: unknown): z.ZodType {
  if (!(schema instanceof z.ZodUnion) || typeof input !== 'object') return schema
  return (schema.options as z.ZodType[]).find((one) => one instanceof z.ZodObject) ?? schema
}

function memberOf(schema: z.ZodType, key: PropertyKey): z.ZodType | undefined {
  if (schema instanceof z.ZodRecord) return schema.valueType as z.ZodType
  if (schema instanceof z.ZodArray) return schema.element as z.ZodType
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, key)) return undefined
  return schema.shape[String(key)] as z.ZodType
}

function objectsOf({ options }: z.ZodDiscriminatedUnion): z.ZodObject[] {
  return options.filter((option) => option instanceof z.ZodObject)
}

function kindsOf(option: z.ZodObject, discriminator: string): string[] {
  return valuesOf(option.shape[discriminator] as z.ZodType)
}

/** Every value of the field that tells the objects of a union apart, such as `type`. */
export function allKinds(schema: z.ZodDiscriminatedUnion): string[] {
  return objectsOf(schema).flatMap((option) => kindsOf(option, schema.def.discriminator))
}

export function inputAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  )
}
