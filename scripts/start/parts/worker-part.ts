import path from 'node:path'
import { root } from '../../machine/checkout.ts'
import { machineVariables } from '../../machine/machine-variables.ts'
import type { PartPlan } from './part.ts'
import { serviceMarker } from './part-environments.ts'
import type { ServiceRun } from '../run.ts'

export const workerName = 'Worker'

/** The host only passes on log lines; without these options it keeps the 100 MB and more that its start has taken. */
const smallHeap = ['--expose-gc', '--max-semi-space-size=1']
/** Larger blocks go back to the system as soon as they are free: https://man7.org/linux/man-pages/man3/mallopt.3.html */
const returnedMemory = { MALLOC_MMAP_THRESHOLD_: '131072' }

/** The Worker as a server: bundled once, on the runtime itself. */
export function workerPlan(
  run: ServiceRun,
  built: string,
  onLine: (line: string) => void,
): PartPlan {
  const { settings, data, ports } = run
  const options = {
    worker: built,
    state: data.state,
    'env-file': data.workerEnv,
    host: settings.HOST,
    port: settings.PORT,
    'entry-port': ports.entry,
    'loopback-port': ports.loopback,
  }
  return {
    name: workerName,
    command: process.execPath,
    args: [
      ...['--no-warnings', ...smallHeap, path.join(root, 'scripts/host/main.ts')],
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    ],
    cwd: root,
    env: {
      ...machineVariables(),
      ...returnedMemory,
      // Files that a killed process leaves behind are deleted at the next start.
      TMPDIR: data.temporary,
      [serviceMarker]: data.base,
    },
    onLine,
    stops: 'leader',
    stopSignal: 'SIGTERM',
  }
}
