import { operatorSettings } from '../../worker/contract/settings/table.ts'
import { settingLines } from '../docs/settings-tables.ts'

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

export function containersHelp(): string {
  return `Usage: npm run containers
       npm run containers -- --install
       npm run containers -- --stop

Runs Spool as npm run dev does, but gives each job a container of its own, as Cloudflare does: builds the image of media
workers with the Docker engine of this machine, and starts wrangler dev with it. Ctrl-C stops everything and removes the
containers.

  --install   on Debian, as root: installs Docker's engine (docker.io) and mmdebstrap, and starts an engine of its own
              in /var/tmp/spool-docker if none runs. Nothing else on the machine is changed.
  --stop      stops that engine

DOCKER_HOST names another engine. Where no image registry can be reached, the base image is made from Debian's archive
and npm, and the part of workerd that leads to the containers is replaced by a stand-in.

${common()}`
}

function common(): string {
  return `While it runs, dev.json in the data directory tells programs where it is: baseUrl, apiKey, dashboardUrl,
webhookSecret, pid, workerPid, mediaWorkers.

Settings, all from the environment:

${settingLines(operatorSettings)}
`
}
