import path from 'node:path'
import { binaries } from './checkout.ts'

/** The variables that a program needs from this machine, without anything of the person who started it. */
export function machineVariables(): Record<string, string> {
  const { HOME, TMPDIR, LANG, NODE_COMPILE_CACHE } = process.env
  return {
    PATH: [binaries, process.env['PATH'] ?? ''].join(path.delimiter),
    ...(HOME === undefined ? {} : { HOME }),
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(LANG === undefined ? {} : { LANG }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  }
}
