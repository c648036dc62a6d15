import type { Usage } from '../../api-types.ts'
import type { Command } from '../arguments/command.ts'
import type { Session } from '../session/session.ts'
import { sizeText } from '../terminal/quantities.ts'
import { fieldList } from '../terminal/text-table.ts'
import { videoFields } from './describe-video.ts'

export const status: Command = {
  name: 'status',
  summary: 'Show a video; without one, the service, the key and what is going on',
  positionals: { name: 'VIDEO_ID', least: 0, most: 1 },
  examples: {
    'What is known of a video': 'spool status v_3RB6SiNw',
    'One field, in a script': 'spool status v_3RB6SiNw --json | jq -r .status',
    'Which service and key are used': 'spool status',
  },
  async run({ positionals: [videoId] }, session) {
    if (videoId === undefined) return showService(session)
    const { screen, signal, common, surroundings } = session
    const video = await (await session.spool()).videos.get(videoId, { signal })
    if (common.json) screen.printJson(video)
    else screen.print(fieldList(videoFields(video, surroundings.now()), screen.paint.dim))
  },
}

function storageText({ usedBytes, limitBytes }: Usage['now']['storage']): string {
  return limitBytes === null
    ? sizeText(usedBytes)
    : `${sizeText(usedBytes)} of at most ${sizeText(limitBytes)}`
}

async function showService(session: Session): Promise<void> {
  const { screen, signal, common } = session
  const { baseUrl, from, apiKey } = await session.access()
  const { now } = await (await session.spool()).usage.get({}, { signal })
  if (common.json) return screen.printJson({ baseUrl, keyFrom: from, now })
  const most = now.mostRunning === null ? '' : ` of at most ${now.mostRunning}`
  const requests = now.requests.map(
    ({ lane, limit, remaining, windowSeconds }): [string, string] => [
      lane,
      `${remaining} of ${limit} left in ${windowSeconds} s`,
    ],
  )
  const fields: [string, string][] = [
    ['service', baseUrl],
    ['key', `…${apiKey.slice(-4)} (${from})`],
    ['running', `${now.running}${most}`],
    ['waiting', String(now.queued)],
    ['kept', storageText(now.storage)],
    ...requests,
  ]
  screen.print(fieldList(fields, screen.paint.dim))
}
