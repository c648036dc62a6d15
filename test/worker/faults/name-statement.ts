const verbs: readonly [RegExp, string][] = [
  [/^\s*select\b.*?\bfrom "?(\w+)"?/is, 'select'],
  [/^\s*insert into "?(\w+)"?/i, 'insert'],
  [/^\s*update "?(\w+)"?/i, 'update'],
  [/^\s*delete from "?(\w+)"?/i, 'delete'],
]

function describe(text: string): string {
  const outer = withoutParentheses(text)
  for (const [pattern, verb] of verbs) {
    const table = (pattern.exec(outer) ?? pattern.exec(text))?.[1]
    if (table !== undefined) return `${verb} ${table}`
  }
  throw new Error(`a statement that has no name: ${text}`)
}

/** Leaves out subqueries, whose tables would be found before that of the statement. */
function withoutParentheses(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, '')
  return shorter === text ? text : withoutParentheses(shorter)
}

function nameColumns(text: string): string {
  const set = /\bset (.*?) where/i.exec(text)?.[1] ?? ''
  const columns = [...set.matchAll(/"?(\w+)"? =/g)].map(([, column]) => column)
  return columns.length === 0 ? '' : ` (${columns.slice(0, 3).join(', ')})`
}

/** A readable name for a statement: what it does, to which table. */
export function nameStatement(where: 'D1' | 'object', text: string): string {
  return `${where}: ${describe(text)}${nameColumns(text)}`
}

export function nameBatch(texts: readonly string[]): string {
  return `D1: ${texts.map(describe).join(' + ')}`
}

export function isRead(point: string): boolean {
  return point.startsWith('D1: select') || point.startsWith('R2: ask')
}
