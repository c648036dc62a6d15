import { secondsOf } from '../../../contract/input/clock-time.ts'

/** How the text of a control is read. `item` has none: it says that a list has an item, even if every field of it is empty. */
export type ValueKind =
  | 'flag'
  | 'number'
  | 'time'
  | 'text'
  | 'mixed'
  | 'phrases'
  | 'terms'
  | 'json'
  | 'item'

/** What one control holds, as a form sends it. */
export type Part = { path: string; kind: ValueKind; text: string }

export type Choices = Record<string, unknown>

type Branch = Map<PathKey, Branch | Leaf>
type Leaf = { value: unknown }

/**
 * The request that the controls of a form stand for. What is empty is left out; text that does not stand for a value
 * stays text, so that the API refuses it and names the field.
 */
export function buildRequest(parts: readonly Part[]): Choices {
  const root: Branch = new Map()
  for (const { path, kind, text } of parts) {
    if (kind === 'item') branchAt(root, stepsOf(path))
    else if (text !== '') setLeaf(root, stepsOf(path), readText(kind, text))
  }
  return toObject(root)
}

function branchAt(root: Branch, steps: readonly PathKey[]): Branch | undefined {
  let branch = root
  for (const step of steps) {
    const next = branch.get(step) ?? new Map<PathKey, Branch | Leaf>()
    if (!(next instanceof Map)) return undefined
    branch.set(step, next)
    branch = next
  }
  return branch
}

function setLeaf(root: Branch, steps: readonly PathKey[], value: unknown): void {
  const last = steps.at(-1)
  if (last !== undefined) branchAt(root, steps.slice(0, -1))?.set(last, { value })
}

function toValue(node: Branch | Leaf): unknown {
  if (!(node instanceof Map)) return node.value
  const isList = [...node.keys()].some((step) => typeof step === 'number')
  return isList ? toList(node) : toObject(node)
}

/** Closes the gaps that a form leaves between two items. */
function toList(node: Branch): unknown[] {
  const indices = [...node.keys()].filter((step) => typeof step === 'number')
  return indices
    .toSorted((a, b) => a - b)
    .flatMap((index) => {
      const item = node.get(index)
      return item ? [toValue(item)] : []
    })
}

function toObject(node: Branch): Choices {
  // Names come from a form: without a prototype, none of them can be anything but a field.
  const made = Object.create(null) as Choices
  for (const [name, child] of node) made[name] = toValue(child)
  return { ...made }
}

function readText(kind: ValueKind, text: string): unknown {
  switch (kind) {
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'number':
    case 'mixed':
    case 'time':
      return /^-?\d+(\.\d+)?$/.test(text.trim())
        ? Number(text)
        : ((kind === 'time' ? secondsOf(text.trim()) : undefined) ?? text)
    case 'phrases':
      return readPhrases(text)
    case 'terms':
      return readTerms(text)
    case 'json':
      return readJson(text)
    case 'text':
    case 'item':
      return text
  }
}

type EnteredPhrase = string | { text: string; occurrence: number }

/** Reads a phrase from each line; “#2” after it means only the second time that it is said. */
function readPhrases(lines: string): EnteredPhrase[] {
  return lines.split('\n').flatMap((line) => {
    const [, text = line.trim(), time] = /^\s*(.*\S)\s+#(\d+)\s*$/.exec(line) ?? []
    if (text === '') return []
    return [time === undefined ? text : { text, occurrence: Number(time) }]
  })
}

/** The text that `readPhrases` reads as this value; undefined if the value is not a list of phrases. */
export function writePhrases(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const lines = value.map((phrase: unknown) => {
    if (typeof phrase === 'string') return phrase
    const { text, occurrence } = phrase as Partial<Exclude<EnteredPhrase, string>>
    return occurrence === undefined ? text : `${text} #${occurrence}`
  })
  return lines.every((line) => typeof line === 'string') ? lines.join('\n') : undefined
}

/**
 * Reads a term from each line, and after “=”, an arrow or a tab (as tables are pasted) what replaces it; a term alone stays as
 * it is. Terms that contain such a sign or a line break must be given as JSON.
 */
export function readTerms(text: string): Record<string, unknown> {
  const given = text.trimStart().startsWith('{') ? readJson(text) : text
  if (typeof given === 'object' && given !== null) return given as Record<string, unknown>
  const terms = text.split(/\r\n|\r|\n/).flatMap((line): [string, string][] => {
    const [, term = line, become = ''] = /^(.*?)(?:=|→|\t)(.*)$/.exec(line) ?? []
    return line.trim() === '' ? [] : [[term.trim(), become.trim() || term.trim()]]
  })
  return Object.fromEntries(terms)
}

/** The text that `readTerms` reads as this value; undefined if lines cannot express it. */
export function writeTerms(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const lines = Object.entries(value)
    .map(([term, become]: [string, unknown]) => `${term} = ${String(become)}`)
    .join('\n')
  return JSON.stringify(readTerms(lines)) === JSON.stringify(value) ? lines : undefined
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The request without these fields. */
export function leaveOut(request: Choices, ...names: readonly string[]): Choices {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !names.includes(name)))
}

type PathKey = string | number

/** Deeper than any field of the API. A form may send any name. */
const mostSteps = 12

/** The steps of a path as error messages write it: `elements[2].position.anchor`. */
export function stepsOf(path: string): PathKey[] {
  const steps = [...path.matchAll(/\[(\d{1,4})\]|[^.[\]]+/g)].slice(0, mostSteps)
  return steps.map(([step, index]) => (index === undefined ? step : Number(index)))
}

/** The value at a path of a request, or undefined. */
export function valueAt(root: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    return (value as Record<PathKey, unknown>)[step]
  }, root)
}

/** A value as it stands in a field for typing. */
export function asText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
