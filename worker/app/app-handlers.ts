import type { Context } from 'hono'
import type { AppRoute } from '../contract/routes.ts'
import type { AppEnv } from '../http/app-env.ts'
import { confirmRevoking, postKey, postRevoking, showKeys } from './keys/keys-page.tsx'
import { postReplay, showOperator } from './operator/operator-page.tsx'
import { home } from './session/safe-next.ts'
import { openLink } from './sign-in/open-link.ts'
import { showSignIn } from './sign-in/show-sign-in.tsx'
import { signOut } from './sign-in/sign-out.ts'
import { actOnVideos } from './videos/act-on-videos.ts'
import { renameVideo, showVideo } from './videos/show-video.ts'
import { showVideos } from './videos/show-videos.ts'
import { showUsage } from './usage/usage-page.tsx'
import { postEndpoint, postEndpointChange } from './webhooks/change-endpoints.ts'
import {
  confirmRotation,
  postRedelivery,
  postRotation,
  postTest,
  showDelivery,
  showWebhooks,
} from './webhooks/webhooks-page.ts'

type Handler = (c: Context<AppEnv>) => Response | Promise<Response>

/** What serves each page of the dashboard. */
export const appHandlers: Readonly<Record<AppRoute, Handler>> = {
  openApp: (c) => c.redirect(home, 303),
  showVideos,
  actOnVideos,
  showVideo,
  renameVideo,
  showKeys,
  postKey,
  confirmRevoking,
  postRevoking,
  showWebhooks,
  postTest,
  confirmRotation,
  postRotation,
  postEndpoint,
  postEndpointChange,
  showDelivery,
  postRedelivery,
  showUsage,
  showOperator,
  postReplay,
  showSignIn,
  openLink,
  signOut,
}
