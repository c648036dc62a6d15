import { settingsReadBy } from '../../worker/contract/settings/table.ts'
import type { Setting } from '../../worker/contract/settings/setting.ts'
import { shownFallback } from '../docs/settings-tables.ts'

/** These are for a media worker beside its service. */
const beside = ['SPOOL_DATA_DIR', 'LOG_PROGRESS', 'OWN_PORTS']

export function helpText(): string {
  const settings = settingsReadBy('media').filter(([name]) => !beside.includes(name))
  const width = Math.max(...settings.map(([name]) => name.length))
  const lines = settings.map(([name, setting]) => {
    const notes = `${setting.meaning} (default: ${fallbackHere(setting)})`
    return `  ${name.padEnd(width)}  ${notes.replaceAll('`', '')}`
  })
  return `Usage: MEDIA_WORKER_TOKEN=… MEDIA_HOST=10.0.0.7 npm run media-worker

Runs one media worker for a service on another machine, which names its address in MEDIA_WORKER_URLS: docs/media-workers.md.
It installs what is missing, ffmpeg included. Its log is one JSON object a line. SIGTERM lets it finish jobs that end
within STOP_GRACE_SECONDS and hands the others back; Ctrl-C hands back all of them.

Settings, all from the environment:

${lines.join('\n')}
`
}

/** Some settings have another default in `npm start`, which it passes to its own media workers. */
function fallbackHere(setting: Setting): string {
  if (setting.neededBy?.includes('media')) return 'required'
  return setting.fallback === '' ? 'none' : shownFallback(setting)
}
