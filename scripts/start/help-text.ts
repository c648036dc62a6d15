import { operatorSettings } from '../../worker/contract/settings/table.ts'
import { shownFallback } from '../docs/settings-tables.ts'

export function helpText(): string {
  return `Usage: npm start
       PORT=8788 SPOOL_DATA_DIR=.spool-2 npm start
       npm start -- --prepare

Runs Spool on this machine: installs what is missing, bundles the Worker once, applies migrations, starts the Worker
and the media workers, waits until they are healthy, and prints an address and an API key. Parts that die are started
again. Ctrl-C stops everything.

  --prepare   only installs and builds what a start needs, for a service that may not write to this folder

npm run dev does the same in wrangler dev, for people who change the Worker.

${common()}`
}

export function devHelp(): string {
  return `Usage: npm run dev
       npm run dev -- --by-hand

Runs Spool as npm start does, on the same data, but with the Worker in wrangler dev: a change of its sources takes effect
at once, and a debugger can be attached. It is slower and takes more memory; npm start is for everything else.

  --by-hand   starts everything but wrangler dev, and prints the command that starts it in another terminal

${common()}`
}

function common(): string {
  const width = Math.max(...operatorSettings.map(([name]) => name.length))
  const lines = operatorSettings.map(([name, setting]) => {
    const notes = `${setting.meaning} (default: ${shownFallback(setting)})`
    return `  ${name.padEnd(width)}  ${notes.replaceAll('`', '')}`
  })
  return `While it runs, dev.json in the data directory tells programs where it is: baseUrl, apiKey, dashboardUrl,
webhookSecret, pid, workerPid, mediaWorkers.

Settings, all from the environment:

${lines.join('\n')}
`
}
