import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import { root } from '../../scripts/machine/checkout.ts'
import { here } from './life.ts'
import { smallParts } from './small-limits.ts'

/** A change of the source that is planted before it is compiled; the file on the disk stays as it is. */
export type Mutation = { file: string; find: string; replace: string }

/** The outside as the programs see it. */
export type Surroundings = {
  globals: Record<string, unknown>
  /** `node:timers/promises`. */
  pause: unknown
}

/** The Worker, and the media worker's side of their conversation, compiled from the sources of the repository. */
type Program = (surroundings: Surroundings) => Exported

type Handlers = {
  fetch: (request: Request, env: unknown, ctx: unknown) => Promise<Response>
  queue: (batch: unknown, env: unknown) => Promise<void>
  scheduled: (controller: { scheduledTime: number }, env: unknown) => Promise<void>
}

/** Classes and functions get their types where they are used, because they come from another compilation. */
export type Exported = {
  default: Handlers
  [name: string]: unknown
}

const entry = `
export * from './worker/index.ts'
export { default } from './worker/index.ts'
export { signMessage, verifyMessage, signatureHeader } from './worker/contract/job/signed-message.ts'
export { mediaJob, cancelRequest, outputGrant } from './worker/contract/job/media-job.ts'
export { JobSlots } from './containers/slots/job-slots.ts'
export { JobStop } from './containers/errors/job-error.ts'
export { Reporter } from './containers/job/report/send-report.ts'
export { recordTrace } from './containers/job/report/attempt-trace.ts'
export { Line } from './worker/service/line/line.ts'
export { LineForecast } from './worker/durable/line-forecast.ts'
export const fetchOut = (url, init) => fetch(url, init)
export const waitOut = (ms) => scheduler.wait(ms)
export { signedPost, isUnwanted } from './containers/job/report/signed-post.ts'
export { serviceWindows } from './containers/job/hear/service-windows.ts'
export { askOfParts } from './containers/job/part/ask-of-parts.ts'
export { PartReporter } from './containers/job/part/part-reporter.ts'
export { partJob, partsAnswers } from './worker/contract/job/part-job.ts'
`

/** Gives each isolate a memory of its own: that of the running code is used. */
const isolateMemory = `
export function isolateMemory(empty) {
  const memory = {}
  Object.defineProperty(memory, 'current', {
    get: () => remembered(memory, empty),
    set: (value) => remember(memory, value),
  })
  return memory
}
export function forgetAll() {}
`

/** Packages that no simulated event reaches, and that take long to load. */
const leftOut = /^@modelcontextprotocol\//

const parameters = [
  ...['Date', 'Math', 'performance', 'setTimeout', 'setInterval', 'clearTimeout'],
  ...['clearInterval', 'scheduler', 'AbortSignal', 'AbortController', 'crypto', 'fetch', 'console'],
  ...['FixedLengthStream', 'Request', 'Response', 'Headers'],
] as const

export async function compile(mutations: readonly Mutation[] = []): Promise<Program> {
  const built = await build({
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser', 'import'],
    target: 'es2023',
    external: ['cloudflare:workers', 'node:*'],
    logLevel: 'silent',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    plugins: [planted([...smallParts, ...mutations])],
  })
  const text = built.outputFiles[0]?.text ?? ''
  // This runs only sources of this repository.
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function(
    ...['module', 'exports', 'require', 'remembered', 'remember', ...parameters],
    text,
  ) as (...given: unknown[]) => void
  return (surroundings) => start(run, surroundings)
}

function start(run: (...given: unknown[]) => void, { globals, pause }: Surroundings): Exported {
  const module = { exports: {} as Exported }
  const given = parameters.map((name) => globals[name])
  run(module, module.exports, requireWith(pause), remembered, remember, ...given)
  return module.exports
}

function planted(mutations: readonly Mutation[]): Plugin {
  const byFile = Map.groupBy(mutations, ({ file }) => file)
  const left = new Set(byFile.keys())
  return {
    name: 'simulation',
    setup(hooks) {
      hooks.onResolve({ filter: leftOut }, ({ path: name }) => ({ path: name, external: true }))
      hooks.onLoad({ filter: /contract\/isolate-memory\.ts$/ }, () => ({ contents: isolateMemory }))
      for (const [name, all] of byFile) {
        const filter = new RegExp(`${name.replaceAll('.', '\\.')}$`)
        hooks.onLoad({ filter }, ({ path: file }) => {
          left.delete(name)
          return { contents: all.reduce(mutate, readFileSync(file, 'utf8')), loader: 'ts' }
        })
      }
      hooks.onEnd(() => {
        for (const file of left) throw new Error(`The program does not load ${file}`)
      })
    },
  }
}

function mutate(source: string, { file, find, replace }: Mutation): string {
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${find}`)
  return parts.join(replace)
}

class DurableObject {
  readonly ctx: unknown
  readonly env: unknown

  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx
    this.env = env
  }
}

function requireWith(pause: unknown): (name: string) => unknown {
  const ofNode = createRequire(path.join(root, 'package.json'))
  return (name) => {
    if (name === 'cloudflare:workers') return { DurableObject }
    if (name === 'node:timers/promises') return { setTimeout: pause }
    if (name.startsWith('node:')) return ofNode(name) as unknown
    return absent
  }
}

/** Stands for a package that is left out: anything taken from it can be extended and called. */
const absent: unknown = new Proxy(function () {}, {
  get: (_, name) => (name === 'prototype' ? {} : name === Symbol.toPrimitive ? () => '' : absent),
  apply: () => absent,
  construct: () => ({}),
})

function remembered(memory: object, empty: () => unknown): unknown {
  const { memories } = here().life
  if (!memories.has(memory)) memories.set(memory, empty())
  return memories.get(memory)
}

function remember(memory: object, value: unknown): void {
  here().life.memories.set(memory, value)
}
