import type { Context } from 'hono'
import type { AppEnv } from '../../http/app-env.ts'
import { memberOf } from '../session/require-member.ts'
import { showPlainPage } from '../sign-in/plain-page.tsx'

/** GET /app/videos */
export async function listVideosPage(c: Context<AppEnv>): Promise<Response> {
  const { name } = memberOf(c)
  return showPlainPage(
    c,
    'Videos',
    <>
      <p>You are signed in as {name}.</p>
      <form method="post" action="/app/sign-out">
        <button type="submit">Sign out</button>
      </form>
    </>,
  )
}
