import { z } from 'zod'
import { nearestName } from './nearest-name.ts'
import { innerSchema } from '../answers/wording.ts'

type Explanations = Readonly<Record<string, string>>

const misplaced = z.registry<{ fields: Explanations }>()

/**
 * An object that refuses every field it does not know. `elsewhere` has messages for fields that belong in another
 * place, such as `volume` on an image.
 */
export function closedObject<Shape extends z.ZodRawShape>(
  shape: Shape,
  elsewhere: Explanations = {},
) {
  const schema = z.strictObject(shape)
  misplaced.add(schema, { fields: elsewhere })
  return schema
}

type UnknownField = {
  message: string
  /** The known field that it most likely stands for. */
  meant?: string | undefined
}

/** The message for a field that this object does not know. */
export function explainUnknownField(key: string, schema: z.ZodObject): UnknownField {
  const elsewhere = new Map(Object.entries(misplaced.get(schema)?.fields ?? {}))
  const meant = nearestName(key, Object.keys(schema.shape))
  const known = elsewhere.get(key)
  if (known !== undefined) return { message: known, meant }
  if (meant !== undefined) return { message: didYouMean(meant), meant }
  const absent = nearestName(key, [...elsewhere.keys()]) ?? ''
  return { message: explainInside(key, schema) ?? elsewhere.get(absent) ?? 'Unknown field' }
}

/** Finds a field that belongs in a nested object: `opacity` next to `effects` belongs in it. */
function explainInside(key: string, { shape }: z.ZodObject): string | undefined {
  for (const [field, schema] of Object.entries(shape)) {
    const inner = innerSchema(schema as z.ZodType)
    if (!(inner instanceof z.ZodObject)) continue
    const elsewhere = new Map(Object.entries(misplaced.get(inner)?.fields ?? {})).get(key)
    const meant = nearestName(key, Object.keys(inner.shape))
    if (elsewhere !== undefined) return elsewhere
    if (meant !== undefined) return didYouMean(`${field}.${meant}`)
  }
  return undefined
}

function didYouMean(field: string): string {
  return `Unknown field; did you mean ${field}?`
}
