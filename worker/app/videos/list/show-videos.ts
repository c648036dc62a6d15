import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { AppEnv } from '../../../http/app-env.ts'
import { readSettings } from '../../../settings.ts'
import { pageLinks } from '../../page-links.ts'
import { sendPage } from '../../send-page.ts'
import { memberOf } from '../../session/require-member.ts'
import { doneText } from '../done.ts'
import { readZone } from './day-of.ts'
import { listQuery } from './list-query.ts'
import { readVideoList } from './read-video-list.ts'
import { videoListPage } from './video-list-page.tsx'

/** GET /app/videos */
export async function showVideos(c: Context<AppEnv>): Promise<Response> {
  const member = memberOf(c)
  const settings = readSettings(c.env)
  const now = Date.now()
  const query = listQuery.parse(c.req.query())
  const list = await readVideoList(c.env, member.accountId, query, pageLinks(settings, now))
  const zone = readZone(getCookie(c, 'zone'))
  const done = doneText.parse(c.req.query('done'))
  const { storageUrl: storage } = settings
  return sendPage(c, await videoListPage({ member, query, list, done, storage, now, zone }))
}
