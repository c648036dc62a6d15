import { readFileSync } from 'node:fs'
import path from 'node:path'
import { transformSync } from 'esbuild'

type ImportGraph = { files: Set<string>; packages: Set<string> }

/** Every file and package that runs when `entries` run; imports of types only do not count. */
export function importGraph(root: string, ...entries: string[]): ImportGraph {
  const graph: ImportGraph = { files: new Set(), packages: new Set() }
  for (const entry of entries) visit(root, path.join(root, entry), graph)
  return graph
}

function visit(root: string, file: string, graph: ImportGraph): void {
  const name = path.relative(root, file)
  if (graph.files.has(name)) return
  graph.files.add(name)
  for (const specifier of runtimeImports(file)) {
    if (specifier.startsWith('.')) visit(root, path.resolve(path.dirname(file), specifier), graph)
    else if (!specifier.startsWith('node:')) graph.packages.add(packageName(specifier))
  }
}

function runtimeImports(file: string): string[] {
  // It drops imports of types, as Node's type stripping does, and writes the others in one way.
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    loader: file.endsWith('.tsx') ? 'tsx' : 'ts',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return [...importing, ...locating].flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, found = '']) => found),
  )
}

const importing = [/^(?:import|export) (?:[^"]* from )?"([^"]+)";$/gm, /\bimport\("([^"]+)"\)/g]

/** Threads are started by the address of their file, and models are read from their package, so neither is imported. */
const locating = [
  /import\.meta\.resolve\(['"]([^'"]+)['"]/g,
  /new URL\(['"](\.[^'"]+\.ts)['"], import\.meta\.url\)/g,
]

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
