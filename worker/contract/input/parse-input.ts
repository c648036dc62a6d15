import { z } from 'zod'
import { invalidRequest, type FieldFault } from '../answers/errors.ts'
import { innerSchema, listOf } from '../answers/wording.ts'
import { limits } from '../limits.ts'
import { explainUnknownField } from './closed-object.ts'
import { explainIssue, suggestValue, unworded, type Issue } from './explain-issue.ts'
import { fieldPath } from './field-path.ts'
import { nearestName } from './nearest-name.ts'
import { allKinds, chosenKind, inputAt, schemaAt, type Path } from './schema-at.ts'

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; faults: FieldFault[] }

/** The value that the schema parses from the input, or every fault of the input. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Parsed<z.output<Schema>> {
  const parsed = schema.safeParse(input, { error: () => unworded })
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, faults: listFaults(schema, parsed.error.issues, input) }
}

/** What was parsed; otherwise an error that lists its faults, and those that others have found. */
export function requireParsed<Value>(parsed: Parsed<Value>, found: FieldFault[] = []): Value {
  const faults = [...(parsed.ok ? [] : parsed.faults), ...found]
  if (!parsed.ok || faults.length > 0) throw invalidRequest(faults)
  return parsed.value
}

/** Parses a text as JSON; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Turns the issues of the schema library into the `details` of an answer: one entry per fault, with our own messages,
 * up to a limit.
 */
function listFaults(schema: z.ZodType, issues: readonly Issue[], input: unknown): FieldFault[] {
  const faults: FieldFault[] = []
  const meant = new Set<string>()
  for (const issue of causesFirst(withoutWider(issues))) {
    for (const { meant: field, ...fault } of faultsOf(issue, schema, input)) {
      if (faults.length >= limits.reportedFaults) return faults
      if (isConsequence(issue, fault, meant)) continue
      if (field !== undefined) meant.add(field)
      faults.push(fault)
    }
  }
  return faults
}

/** True for a fault that only follows from a misspelt field: the right field seems to be absent, or its object incomplete. */
function isConsequence(issue: Issue, fault: FieldFault, meant: ReadonlySet<string>): boolean {
  if (meant.has(fault.field)) return fault.message.startsWith('Required')
  const isOfWhole = issue.code === 'custom' && fault.field === 'body'
  return isOfWhole && meant.size > 0
}

/** Of a number beyond all whole ones the library says that as well as the bound of its field; one fault is enough. */
function withoutWider(issues: readonly Issue[]): readonly Issue[] {
  const isWidest = (issue: Issue) =>
    (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
    (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER)
  const isSaid = (wide: Issue) =>
    issues.some(
      (one) =>
        one !== wide && one.code === wide.code && fieldPath(one.path) === fieldPath(wide.path),
    )
  return issues.filter((issue) => !isWidest(issue) || !isSaid(issue))
}

function causesFirst(issues: readonly Issue[]): Issue[] {
  const isCause = ({ code }: Issue) => code === 'unrecognized_keys'
  return [...issues.filter(isCause), ...issues.filter((issue) => !isCause(issue))]
}

type FoundFieldFault = FieldFault & {
  /** The path of the field that a misspelt one stands for. */
  meant?: string
}

/** A generator, because a body may hold a hundred thousand unknown fields, and each is compared with all known ones. */
function* faultsOf(issue: Issue, schema: z.ZodType, input: unknown): Generator<FoundFieldFault> {
  if (issue.code === 'unrecognized_keys') {
    const object = schemaAt(schema, issue.path, input)
    const kind = object && chosenKind(innerSchema(object), inputAt(input, issue.path))
    for (const key of issue.keys) yield unknownField([...issue.path, key], kind, input)
  } else if (issue.code === 'invalid_union' && 'discriminator' in issue) {
    yield wrongKind(issue, schema, input)
  } else {
    yield { field: fieldPath(issue.path), message: explainIssue(issue, schema, input) }
  }
}

function unknownField(path: Path, object: z.ZodType | undefined, input: unknown): FoundFieldFault {
  const field = fieldPath(path)
  if (!(object instanceof z.ZodObject)) return { field, message: 'Unknown field' }
  const { message, meant, isGuess } = explainUnknownField(String(path.at(-1)), object)
  if (meant === undefined) return { field, message }
  const fault = isGuess && faultOfValue(object.shape[meant] as z.ZodType, inputAt(input, path))
  return {
    field,
    message: fault ? `${message} ${fault}` : message,
    meant: fieldPath([...path.slice(0, -1), meant]),
  }
}

/** What the field that was meant would say of the value, if its value as a whole is wrong. */
function faultOfValue(schema: z.ZodType, value: unknown): string | undefined {
  const parsed = schema.safeParse(value, { error: () => unworded })
  const issue = parsed.error?.issues.find(({ path }) => path.length === 0)
  return issue && explainIssue(issue, schema, value).replace(/^(Must|Is)\b/, toSentence)
}

function toSentence(verb: string): string {
  return `It ${verb.toLowerCase()}`
}

/**
 * Explains a fault of the field that tells the kinds of an object apart: its value is unknown, its name is misspelt, or
 * it is absent.
 */
function wrongKind({ path }: Issue, root: z.ZodType, input: unknown): FoundFieldFault {
  const object = inputAt(input, path.slice(0, -1))
  const schema = schemaAt(root, path.slice(0, -1), input)
  const union = schema && innerSchema(schema)
  const kinds = union instanceof z.ZodDiscriminatedUnion ? allKinds(union) : []
  const given = inputAt(input, path)
  const field = fieldPath(path)
  if (given !== undefined) {
    return { field, message: `Must be ${listOf(kinds)}${suggestValue(given, kinds)}` }
  }
  const name = String(path.at(-1))
  const misspelt = Object.keys(object ?? {})
    .slice(0, limits.reportedFaults)
    .find((key) => key !== name && nearestName(key, [name]) !== undefined)
  if (misspelt === undefined) return { field, message: `Required: ${listOf(kinds)}` }
  const message = `Unknown field; did you mean ${name}?`
  return { field: fieldPath([...path.slice(0, -1), misspelt]), message }
}
