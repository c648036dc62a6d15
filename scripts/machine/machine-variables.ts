import path from 'node:path'
import { binaries } from './checkout.ts'

/** The variables that a program needs from this machine, without anything of the person who started it. */
export function machineVariables(): Record<string, string> {
  const { HOME, TMPDIR, LANG, NODE_COMPILE_CACHE, NODE_EXTRA_CA_CERTS } = process.env
  return {
    PATH: [binaries, process.env['PATH'] ?? ''].join(path.delimiter),
    ...(HOME === undefined ? {} : { HOME }),
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...(LANG === undefined ? {} : { LANG }),
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
    // Node reads it, and miniflare passes it on to the runtime.
    ...(NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS }),
  }
}
