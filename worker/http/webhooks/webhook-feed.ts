import type { Context } from 'hono'
import { limits } from '../../contract/limits.ts'
import {
  feedCursor,
  feedQuery,
  type FeedEvent,
  type FeedPage,
} from '../../contract/webhooks/webhook-feed.ts'
import { describeVideo, timestamp } from '../../service/videos/describe-video.ts'
import { makeLinks } from '../../service/files/file-links.ts'
import { webhookBody } from '../../service/webhooks/sign-webhook.ts'
import { readSettings, type Settings } from '../../settings.ts'
import { listEnded, type EndedVideo } from '../../store/videos/ended-videos.ts'
import type { AppEnv } from '../app-env.ts'
import { readPage } from '../read-page.ts'
import { readQuery } from '../read-query.ts'

/** GET /v1/webhooks/events */
export async function listWebhookEvents(c: Context<AppEnv>): Promise<Response> {
  const { cursor, since, limit = limits.listPageSizeDefault } = await readQuery(c, feedQuery)
  // More videos may still end within this millisecond.
  const after = cursor?.createdAt ?? since ?? Date.now() - 1
  const { accountId } = c.get('caller')
  const settings = readSettings(c.env)
  const placeOf = (one: EndedVideo | undefined) => one?.video.endedOrder ?? after
  const { data, last } = await readPage({
    limit,
    read: async (one: EndedVideo | undefined, count) =>
      listEnded(c.env.DB, accountId, { after: placeOf(one), limit: count }),
    describe: async (one) => describeEvent(one, settings),
  })
  return c.json({ data, nextCursor: feedCursor(placeOf(last)) } satisfies FeedPage)
}

/** Links last from the end of the video, so that every read has the same body, which is also that of the webhook. */
async function describeEvent({ video, body }: EndedVideo, settings: Settings): Promise<FeedEvent> {
  const endedAt = video.finishedAt ?? video.updatedAt
  const record = await describeVideo(video, makeLinks(settings, endedAt))
  const type = `video.${record.status}` as FeedEvent['type']
  return {
    webhookId: video.terminalEventId ?? '',
    type,
    videoId: video.id,
    timestamp: timestamp(endedAt),
    body: body ?? webhookBody(type, endedAt, record),
  }
}
