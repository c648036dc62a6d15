import { z } from 'zod'
import { nearestName, plainName } from './nearest-name.ts'
import { innerSchema } from '../answers/wording.ts'

const misplaced = z.registry<{ fields: Readonly<Record<string, string>> }>()

/**
 * An object that refuses every field it does not know. `elsewhere` has messages for fields that belong in another
 * place, such as `volume` on an image, however they are written.
 */
export function closedObject<Shape extends z.ZodRawShape>(
  shape: Shape,
  elsewhere: Readonly<Record<string, string>> = {},
) {
  const schema = z.strictObject(shape)
  misplaced.add(schema, { fields: elsewhere })
  return schema
}

type UnknownField = {
  message: string
  /** The known field that it most likely stands for. */
  meant?: string | undefined
  /** Whether the message does no more than name that field. */
  isGuess?: true
}

/** The message for a field that this object does not know. */
export function explainUnknownField(key: string, schema: z.ZodObject): UnknownField {
  const elsewhere = explanationsOf(schema)
  const meant = nearestName(key, Object.keys(schema.shape))
  const known = elsewhere.get(plainName(key))
  if (known !== undefined) return { message: known.text, meant }
  if (meant !== undefined) return { message: didYouMean(meant), meant, isGuess: true }
  return { message: explainInside(key, schema) ?? explainNear(key, elsewhere) ?? 'Unknown field' }
}

/** Many words are one typo away from a short name: `test` is not `text`. */
function explainNear(key: string, elsewhere: Explanations): string | undefined {
  const long = [...elsewhere.values()].map(({ name }) => name).filter((name) => name.length > 4)
  return elsewhere.get(plainName(nearestName(key, long) ?? ''))?.text
}

type Explanation = { name: string; text: string }
/** By the name of a field without separators and capitals. */
type Explanations = ReadonlyMap<string, Explanation>

function explanationsOf(schema: z.ZodObject): Explanations {
  const { fields = {} } = misplaced.get(schema) ?? {}
  return new Map(Object.entries(fields).map(([name, text]) => [plainName(name), { name, text }]))
}

/** Finds a field that belongs in a nested object: `opacity` next to `effects` belongs in it. */
function explainInside(key: string, { shape }: z.ZodObject): string | undefined {
  for (const [field, schema] of Object.entries(shape)) {
    const inner = innerSchema(schema as z.ZodType)
    if (!(inner instanceof z.ZodObject)) continue
    const elsewhere = explanationsOf(inner).get(plainName(key))
    const meant = nearestName(key, Object.keys(inner.shape))
    if (elsewhere !== undefined) return elsewhere.text
    if (meant !== undefined) return didYouMean(`${field}.${meant}`)
  }
  return undefined
}

function didYouMean(field: string): string {
  return `Unknown field; did you mean ${field}?`
}
