import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Rule } from 'eslint'

/**
 * An ESLint rule: no file imports itself through others, for its types either. Rules that can be had ignore imports of
 * types, but two files that need each other's types are one subject, or want a third that both share.
 */
export const noCircle: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create: (context) => ({
    Program(program) {
      const way = wayBack(context.filename)
      if (!way) return
      const names = way.map((file) => path.relative(context.cwd, file))
      context.report({ node: program, message: `Files import each other: ${names.join(' → ')}` })
    },
  }),
}

const importedBy = new Map<string, string[]>()

/** The shortest chain of imports from a file back to itself. */
function wayBack(start: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]])
  for (const file of cameFrom.keys()) {
    for (const imported of importsOf(file)) {
      if (imported === start) return [...chainTo(file, cameFrom), start]
      if (!cameFrom.has(imported)) cameFrom.set(imported, file)
    }
  }
  return undefined
}

function chainTo(
  file: string | undefined,
  cameFrom: ReadonlyMap<string, string | undefined>,
): string[] {
  return file === undefined ? [] : [...chainTo(cameFrom.get(file), cameFrom), file]
}

function importsOf(file: string): string[] {
  let found = importedBy.get(file)
  if (!found) {
    const text = readFileSync(file, 'utf8')
    found = [...text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom '(\.[^']+\.tsx?)'/gm)]
      .map(([, name = '']) => path.resolve(path.dirname(file), name))
      .filter((name) => existsSync(name))
    importedBy.set(file, found)
  }
  return found
}
