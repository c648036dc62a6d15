import type { Context } from 'hono'
import type { AppRoute } from '../contract/routes.ts'
import type { AppEnv } from '../http/app-env.ts'
import { confirmRevoking, postKey, postRevoking, showKeys } from './keys/keys-page.tsx'
import { postReplay, showOperator } from './operator/operator-page.tsx'
import { sendSource } from './new-video/send-source.ts'
import { showNewVideo } from './new-video/show-new-video.ts'
import { submitNewVideo } from './new-video/submit-new-video.ts'
import { home } from './session/safe-next.ts'
import { changeArchive, renameAccount, switchAccount } from './settings/change-account.ts'
import { changePassword } from './settings/change-password.ts'
import { changeRole, removePerson } from './settings/change-people.ts'
import { changeEmail, changeName } from './settings/change-profile.ts'
import { confirmEmail } from './settings/confirm-email.ts'
import { endOneSession, endOtherSessions } from './settings/end-sessions.ts'
import { invite, withdraw } from './settings/invite.ts'
import { showSettings } from './settings/settings-page.tsx'
import { showAbout } from './sign-in/about.tsx'
import { confirmSignUp, showConfirm } from './sign-in/confirm-sign-up.tsx'
import { joinAccount, showInvitation } from './sign-in/invitation.tsx'
import { openLink } from './sign-in/open-link.ts'
import { askReset, reset, showAskReset, showReset } from './sign-in/reset-password.tsx'
import { showSignIn, showWelcome, signIn, signOut } from './sign-in/sign-in.tsx'
import { showSignUp, signUp } from './sign-in/sign-up.tsx'
import { actOnVideos } from './videos/act-on-videos.ts'
import { renameVideo, showVideo } from './videos/show-video.ts'
import { showVideos } from './videos/list/show-videos.ts'
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
  showNewVideo,
  submitNewVideo,
  showVideo,
  renameVideo,
  sendSource,
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
  showAbout,
  showSignIn,
  signIn,
  showSignUp,
  signUp,
  showConfirm,
  confirmSignUp,
  showWelcome,
  showAskReset: async (c) => showAskReset(c),
  askReset,
  showReset,
  reset,
  openLink,
  showInvitation,
  joinAccount,
  signOut,
  showSettings: async (c) => showSettings(c),
  changeName,
  changeEmail,
  confirmEmail,
  changePassword,
  endOneSession,
  endOtherSessions,
  changeRole,
  removePerson,
  invite,
  withdraw,
  renameAccount,
  changeArchive,
  switchAccount,
}
