import type { Context } from 'hono'
import type { AppRoute } from '../contract/routes.ts'
import type { AppEnv } from '../http/app-env.ts'
import { home } from './session/safe-next.ts'
import { openLink } from './sign-in/open-link.ts'
import { showSignIn } from './sign-in/show-sign-in.tsx'
import { signOut } from './sign-in/sign-out.ts'
import { actOnVideos } from './videos/act-on-videos.ts'
import { renameVideo, showVideo } from './videos/show-video.ts'
import { showVideos } from './videos/show-videos.ts'

type Handler = (c: Context<AppEnv>) => Response | Promise<Response>

/** What serves each page of the dashboard. */
export const appHandlers: Readonly<Record<AppRoute, Handler>> = {
  openApp: (c) => c.redirect(home, 303),
  showVideos,
  actOnVideos,
  showVideo,
  renameVideo,
  showSignIn,
  openLink,
  signOut,
}
