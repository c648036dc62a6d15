import { quietWrangler } from '../../machine/quiet-wrangler.ts'
import { root, wranglerCli } from '../../machine/checkout.ts'
import type { PartPlan } from './part.ts'
import { serviceMarker } from './part-environments.ts'
import type { Run } from '../run.ts'
import { workerName } from './worker-part.ts'

/** The arguments of `wrangler dev`; a person who runs it by hand uses the same. */
export function devArguments({ settings, data }: Run): string[] {
  return [
    ...['dev', '--config', data.devConfig, '--env-file', data.workerEnv],
    ...['--persist-to', data.state, '--ip', settings.HOST, '--port', String(settings.PORT)],
  ]
}

/** `wrangler dev`: bundles again whenever a source changes, and listens for a debugger. */
export function devWorkerPlan(run: Run, onLine: (line: string) => void): PartPlan {
  return {
    name: workerName,
    command: process.execPath,
    args: [
      ...['--no-warnings', wranglerCli, ...devArguments(run)],
      ...['--inspector-port', String(run.ports.inspector)],
      '--show-interactive-dev-session=false',
    ],
    cwd: root,
    env: { ...quietWrangler(run.data.wrangler), ...run.host?.env, [serviceMarker]: run.data.base },
    onLine,
    stops: 'group',
    stopSignal: 'SIGTERM',
  }
}
