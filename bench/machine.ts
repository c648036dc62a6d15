import { readFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { root } from '../scripts/machine/checkout.ts'

const manifest = z.object({ version: z.string() })

function versionOf(packageName: string): string {
  const file = path.join(root, 'node_modules', packageName, 'package.json')
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version
}

/** Describes in one line the machine that the figures come from. */
export function describeMachine(): string {
  return [
    `${availableParallelism()} cores${cpus()[0] ? ` of ${cpus()[0]?.model.trim()}` : ''}`,
    `${platform()} ${arch()}`,
    `Node ${process.versions.node}`,
    `wrangler ${versionOf('wrangler')}`,
    `load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
  ].join(', ')
}
