import * as batchesPage from './app/batches/batches-page.tsx'
import * as comparison from './app/compare/show-comparison.ts'
import * as keysPage from './app/keys/keys-page.tsx'
import * as sourceLink from './app/new-video/send-source.ts'
import * as newVideo from './app/new-video/show-new-video.ts'
import * as submission from './app/new-video/submit-new-video.ts'
import * as operatorPage from './app/operator/operator-page.tsx'
import { home } from './app/session/safe-next.ts'
import * as account from './app/settings/change-account.ts'
import * as password from './app/settings/change-password.ts'
import * as people from './app/settings/change-people.ts'
import * as profile from './app/settings/change-profile.ts'
import * as sessions from './app/settings/end-sessions.ts'
import * as invitations from './app/settings/invite.ts'
import { showSettings } from './app/settings/settings-page.tsx'
import * as about from './app/sign-in/about.tsx'
import * as confirmation from './app/sign-in/confirm-sign-up.tsx'
import * as invited from './app/sign-in/invitation.tsx'
import * as resetting from './app/sign-in/reset-password.tsx'
import * as signingIn from './app/sign-in/sign-in.tsx'
import { signUpMode } from './app/sign-in/sign-up-mode.ts'
import * as signingUp from './app/sign-in/sign-up.tsx'
import * as storagesPage from './app/storages/storages-page.tsx'
import * as usagePage from './app/usage/usage-page.tsx'
import * as chosenVideos from './app/videos/act-on-videos.ts'
import * as videoList from './app/videos/list/video-list-page.tsx'
import * as videoPage from './app/videos/show-video.ts'
import * as endpointForms from './app/webhooks/change-endpoints.ts'
import * as webhooksPage from './app/webhooks/webhooks-page.ts'
import {
  appRoutes,
  publicRoutes,
  type AppRoute,
  type OwnRoute,
  type PublicRoute,
} from './contract/routes.ts'
import * as admin from './http/admin.ts'
import * as batches from './http/batches.ts'
import type { Handler } from './http/app-env.ts'
import * as usage from './http/get-usage.ts'
import * as health from './http/health.ts'
import * as keys from './http/keys.ts'
import * as presets from './http/presets.ts'
import * as storages from './http/storages.ts'
import { readMetrics } from './http/read-metrics.ts'
import {
  askParts,
  grantOutput,
  grantPartOutput,
  receivePartReport,
  receiveReport,
} from './http/receive-report.ts'
import { serveAsset } from './http/serve/serve-asset.ts'
import * as files from './http/serve/serve-file.ts'
import { serveForModels, serveGuide } from './http/serve/serve-guide.ts'
import { getOpenapi, serveReference } from './http/serve/serve-reference.ts'
import * as parts from './http/uploads/receive-part.ts'
import { relayStorage } from './http/uploads/relay-storage.ts'
import * as uploads from './http/uploads/uploads.ts'
import * as changing from './http/videos/change-video.ts'
import { createPlan } from './http/videos/create-plan.ts'
import * as creating from './http/videos/create-video.ts'
import * as following from './http/videos/follow-video.ts'
import * as transcript from './http/videos/get-transcript.ts'
import * as video from './http/videos/get-video.ts'
import * as jobs from './http/videos/get-job.ts'
import * as videos from './http/videos/list-videos.ts'
import * as uploading from './http/videos/upload-video.ts'
import * as endpoints from './http/webhooks/webhook-endpoints.ts'
import * as feed from './http/webhooks/webhook-feed.ts'
import * as webhooks from './http/webhooks/webhooks.ts'
import * as agents from './mcp/serve-mcp.ts'

/**
 * What serves each route. A module exports the handler of a route by the name of the route, so that it need only be
 * spread here; a line of its own stands where one handler serves several routes, or takes more than the request. The
 * types refuse a route without a handler.
 */
export const publicHandlers: Readonly<Record<PublicRoute, Handler>> = {
  ...creating,
  createPlan,
  ...uploading,
  ...videos,
  ...video,
  ...changing,
  ...following,
  ...transcript,
  ...batches,
  ...uploads,
  ...parts,
  ...jobs,
  ...webhooks,
  ...endpoints,
  ...feed,
  ...presets,
  ...storages,
  ...usage,
  ...keys,
  ...files,
  ...health,
  getOpenapi,
  getDocs: serveGuide,
}

export const ownHandlers: Readonly<Record<OwnRoute, Handler>> = {
  ...admin,
  ...agents,
  // Where anybody may sign up, visitors may know nothing of the service; elsewhere they are its programmers.
  showFront: (c) =>
    c.redirect(signUpMode(c) === 'open' ? appRoutes.showAbout.path : publicRoutes.getDocs.path),
  showReference: serveReference,
  showReferencePage: serveReference,
  showGuide: serveGuide,
  showGuideFile: serveGuide,
  getModelIndex: serveForModels,
  getModelText: serveForModels,
  getIcon: serveAsset,
  getRobots: serveAsset,
  getScript: serveAsset,
  getClient: serveAsset,
  reportAttempt: receiveReport,
  grantOutput,
  askParts,
  reportPart: receivePartReport,
  grantPartOutput,
  readStorage: relayStorage,
  writeStorage: relayStorage,
  getMetrics: readMetrics,
}

export const appHandlers: Readonly<Record<AppRoute, Handler>> = {
  ...videoList,
  ...chosenVideos,
  ...newVideo,
  ...submission,
  ...videoPage,
  ...sourceLink,
  ...comparison,
  ...batchesPage,
  ...keysPage,
  ...webhooksPage,
  ...storagesPage,
  ...endpointForms,
  ...usagePage,
  ...operatorPage,
  ...about,
  ...signingIn,
  ...signingUp,
  ...confirmation,
  ...resetting,
  ...invited,
  ...profile,
  ...password,
  ...sessions,
  ...people,
  ...invitations,
  ...account,
  openApp: (c) => c.redirect(home, 303),
  showAskReset: async (c) => resetting.showAskReset(c),
  showSettings: async (c) => showSettings(c),
}
