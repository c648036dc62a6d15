import type { Video } from '../../api-types.ts'
import type { Command } from '../arguments/command.ts'
import { choiceFlag, limitFlag, switchFlag } from '../arguments/flag.ts'
import { agoText, durationText } from '../terminal/quantities.ts'
import type { Screen } from '../terminal/screen.ts'
import { textTable } from '../terminal/text-table.ts'
import { statusPaint, statusText } from './describe-video.ts'

const largestPage = 100

export const list: Command = {
  name: 'list',
  summary: 'List videos, newest first',
  flags: [
    choiceFlag(
      'status',
      ['queued', 'running', 'succeeded', 'failed', 'canceled'],
      'Only videos of this status',
    ),
    limitFlag(100_000),
    switchFlag('all', 'All there are'),
    switchFlag('archived', 'The archived videos instead of all others'),
  ],
  examples: {
    'The last 20': 'spool list',
    'Everything that failed': 'spool list --status failed --all',
    'The ids of all finished videos': `spool list --status succeeded --all --json | jq -r '.[].videoId'`,
    'Every record that the archive has, in a file':
      'spool list --archived --all --json > archived.json',
  },
  async run(given, session) {
    const { screen, signal, common, surroundings } = session
    const most = given.isOn('all') ? Infinity : Math.floor(given.number('limit') ?? 20)
    const status = given.text('status') as Video['status'] | undefined
    const spool = await session.spool()
    const archived = given.isOn('archived') || undefined
    const limit = Math.min(most, largestPage)
    const listing = spool.videos.list({ status, archived, limit }, { signal })
    const videos: Video[] = []
    for await (const video of listing) {
      videos.push(video)
      if (videos.length >= most) break
    }
    if (common.json) screen.printJson(videos)
    else if (videos.length > 0) screen.print(videoTable(videos, screen, surroundings.now()))
    else screen.note(archived ? 'No video is archived.' : sayNone(status))
  },
}

function sayNone(status: Video['status'] | undefined): string {
  if (status) return `No video is ${status}.`
  return 'There are no videos yet. `spool run FILE` makes one.'
}

function videoTable(videos: readonly Video[], screen: Screen, nowMs: number): string {
  const { dim } = screen.paint
  return textTable(
    [
      'VIDEO',
      { heading: 'STATUS', paint: statusPaint(screen.paint) },
      { heading: 'CREATED', paint: dim },
      { heading: 'LENGTH', paint: dim },
      { heading: 'NAME', isCut: true },
    ],
    videos.map((video) => [
      video.videoId,
      statusText(video),
      agoText(video.createdAt, nowMs),
      video.videoMetadata ? durationText(video.videoMetadata.duration) : '-',
      video.videoName,
    ]),
    screen.columns,
  )
}
