import { appendFileSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { DataDirectory } from './data-directory.ts'

const rotateAboveBytes = 20 * 1024 * 1024

/** Appends lines to a file in logs/; if it has grown large, it becomes the one former file that is kept. */
export function openLog(data: DataDirectory, name: string): (line: string) => void {
  const file = path.join(data.logs, `${name}.log`)
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > rotateAboveBytes) {
    renameSync(file, `${file}.1`)
  }
  return (line) => appendFileSync(file, `${line}\n`, { mode: 0o600 })
}

/** The JSON object in a line, whatever wrangler wrote around it; undefined for wrangler's own messages. */
export function jsonOf(
  line: string,
): { text: string; fields: Record<string, unknown> } | undefined {
  const plain = stripVTControlCharacters(line)
  const text = plain.slice(plain.indexOf('{'), plain.lastIndexOf('}') + 1)
  if (text === '') return undefined
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return undefined
    return { text, fields: { ...fields } }
  } catch {
    return undefined
  }
}
