import path from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from '../machine/write-file.ts'

/** The names of the migrations that each database has, by its binding. */
type Applied = Readonly<Record<string, readonly string[]>>

const appliedFile = z.record(z.string(), z.array(z.string()))

/** Asking the databases takes half a second, so a file next to them lists what was applied; it is deleted with them. */
const fileIn = (state: string) => path.join(state, 'applied-migrations.json')

/** Undefined if nobody knows: then the databases have to be asked. */
export function readApplied(state: string): Applied | undefined {
  return appliedFile.safeParse(readJson(fileIn(state))).data
}

export function noteApplied(state: string, applied: Applied): void {
  writeJson(fileIn(state), applied, 0o644)
}

/** How many databases the service has had, as far as is known. */
export function databasesIn(state: string): number {
  return Object.keys(readApplied(state) ?? {}).length
}
