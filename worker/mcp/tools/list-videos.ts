import { z } from 'zod'
import { closedObject } from '../../contract/input/closed-object.ts'
import type { VideoPage } from '../../contract/video/list-videos.ts'
import { sayLeft } from '../../contract/video/say-left.ts'
import { videoStatuses } from '../../contract/video/video-state.ts'
import { round } from '../say/say-video.ts'
import { tellRefusal } from '../say/tell-refusal.ts'
import { capped } from '../schema/json-schema.ts'
import { checkedTool } from '../checked-tool.ts'

const most = 50

const input = closedObject({
  status: z.enum(videoStatuses).optional().describe('Only videos with this status'),
  limit: capped(z.int(), 1, most).default(10),
  cursor: z.string().optional().describe('From the answer before, for the next page'),
})

export const listVideos = checkedTool(input, {
  name: 'list_videos',
  title: 'List videos',
  description: 'Lists the videos of this account, newest first, one line each.',
  hints: { readOnlyHint: true, idempotentHint: true },
  async run({ status, limit, cursor }, { ask }) {
    const query = { status, limit: String(limit), cursor }
    const answer = await ask({ route: 'listVideos', query })
    if (!answer.ok) return tellRefusal(answer)
    const { data, nextCursor } = await answer.json<VideoPage>()
    const lines = data.map(sayRow)
    const next = sayNext(data.length, nextCursor)
    return {
      text: [...(lines.length > 0 ? lines : ['There are none.']), `Next: ${next}`].join('\n'),
      data: { videos: data.map(rowOf), nextCursor, next },
    }
  },
})

type PagedVideo = VideoPage['data'][number]

function sayRow(row: PagedVideo): string {
  const { videoId, videoName, status, progressPercent, queuePosition, createdAt, videoMetadata } =
    row
  const done = status === 'running' ? `running, ${progressPercent} %` : status
  const place = queuePosition && `number ${queuePosition} in line`
  const state = [done, place, sayLeft(row)].filter(Boolean).join(', ')
  const length = videoMetadata ? `, ${round(videoMetadata.duration)} s` : ''
  return `${videoId} "${videoName}": ${state}${length}, made ${createdAt}`
}

function rowOf({ videoId, videoName, status, createdAt }: PagedVideo) {
  return { videoId, videoName, status, createdAt }
}

function sayNext(count: number, nextCursor: string | null): string {
  if (nextCursor !== null) return `call list_videos with cursor ${nextCursor} for more.`
  return count === 0 ? 'make_video makes one.' : 'get_video shows one with its links.'
}
