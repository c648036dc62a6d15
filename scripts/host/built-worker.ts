import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { workerOptions, type Module, type WorkerOptions } from './runtime.ts'

const migrations = z.array(z.object({ name: z.string(), statements: z.array(z.string()) }))
export type Migration = z.infer<typeof migrations>[number]

/** The files of a built Worker. */
export function builtWorker(folder: string) {
  return {
    folder,
    bundle: path.join(folder, 'bundle'),
    /** The static files, as they belong to this bundle. */
    assets: path.join(folder, 'assets'),
    options: path.join(folder, 'options.json'),
    migrations: path.join(folder, 'migrations.json'),
  }
}
export type BuiltWorker = ReturnType<typeof builtWorker>

export function readBuiltOptions(built: BuiltWorker): WorkerOptions {
  const { assets, ...options } = workerOptions.parse(
    JSON.parse(readFileSync(built.options, 'utf8')),
  )
  return { ...options, ...(assets && { assets: { ...assets, directory: built.assets } }) }
}

export function readMigrations(built: BuiltWorker): Migration[] {
  return migrations.parse(JSON.parse(readFileSync(built.migrations, 'utf8')))
}

const moduleTypes: Readonly<Record<string, Module['type']>> = {
  '.js': 'ESModule',
  '.mjs': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.bin': 'Data',
  '.txt': 'Text',
  '.html': 'Text',
  '.sql': 'Text',
}

/** The entry comes first, which is how the runtime recognises it. It contains all code; the rest is data. */
export function modulesOf({ bundle }: BuiltWorker): Module[] {
  const modules = readdirSync(bundle).flatMap((name): Module[] => {
    const type = moduleTypes[path.extname(name)]
    return type === undefined ? [] : [{ type, path: path.join(bundle, name) }]
  })
  return modules.sort((a, b) => Number(b.type === 'ESModule') - Number(a.type === 'ESModule'))
}
