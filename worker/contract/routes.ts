import { adminPath } from './people/admin.ts'
import type { Scope } from './people/api-key.ts'

/** In the order in which a 405 lists them. */
export const methods = ['GET', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

export type Route = {
  method: Method
  /** As OpenAPI writes it: a part in braces stands for any text without a slash. */
  path: string
  /** The scope that the API key of a request must have; `open` needs no key. */
  needs: Scope | 'open'
  /** Whether a member of an account may not use it in the dashboard, whatever the scope says. */
  ownersOnly?: true
}

const read = 'videos:read'
const write = 'videos:write'
const manage = 'keys:manage'

/** Every route of the public interface by the name of its operation, in the order of the API reference. */
export const publicRoutes = {
  createVideo: { method: 'POST', path: '/v1/videos', needs: write },
  listVideos: { method: 'GET', path: '/v1/videos', needs: read },
  planVideo: { method: 'POST', path: '/v1/videos/plan', needs: read },
  createPlan: { method: 'POST', path: '/v1/plans', needs: write },
  // Must come before getVideo; no video has the id `upload`.
  uploadVideo: { method: 'POST', path: '/v1/videos/upload', needs: write },
  getVideo: { method: 'GET', path: '/v1/videos/{videoId}', needs: read },
  changeVideo: { method: 'PATCH', path: '/v1/videos/{videoId}', needs: write },
  deleteVideo: { method: 'DELETE', path: '/v1/videos/{videoId}', needs: write },
  followVideo: { method: 'GET', path: '/v1/videos/{videoId}/events', needs: read },
  cancelVideo: { method: 'POST', path: '/v1/videos/{videoId}/cancel', needs: write },
  getTranscript: { method: 'GET', path: '/v1/videos/{videoId}/transcript', needs: read },
  createBatch: { method: 'POST', path: '/v1/batches', needs: write },
  listBatches: { method: 'GET', path: '/v1/batches', needs: read },
  getBatch: { method: 'GET', path: '/v1/batches/{batchId}', needs: read },
  cancelBatch: { method: 'POST', path: '/v1/batches/{batchId}/cancel', needs: write },
  createUpload: { method: 'POST', path: '/v1/uploads', needs: write },
  // Needs write, because the answer has addresses to write to.
  getUpload: { method: 'GET', path: '/v1/uploads/{uploadId}', needs: write },
  deleteUpload: { method: 'DELETE', path: '/v1/uploads/{uploadId}', needs: write },
  completeUpload: { method: 'POST', path: '/v1/uploads/{uploadId}/complete', needs: write },
  putPart: { method: 'PUT', path: '/parts/{token}', needs: 'open' },
  preflightPart: { method: 'OPTIONS', path: '/parts/{token}', needs: 'open' },
  listJobs: { method: 'GET', path: '/v1/jobs', needs: read },
  getJob: { method: 'GET', path: '/v1/jobs/{jobId}', needs: read },
  // Needs write, because a client that has the secret can sign in the service's name.
  getWebhookSecret: { method: 'GET', path: '/v1/webhooks/secret', needs: write, ownersOnly: true },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/secret/rotate',
    needs: write,
    ownersOnly: true,
  },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhooks/endpoints', needs: read },
  createWebhookEndpoint: { method: 'POST', path: '/v1/webhooks/endpoints', needs: write },
  getWebhookEndpoint: {
    method: 'GET',
    path: '/v1/webhooks/endpoints/{endpointId}',
    needs: read,
  },
  changeWebhookEndpoint: {
    method: 'PATCH',
    path: '/v1/webhooks/endpoints/{endpointId}',
    needs: write,
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/v1/webhooks/endpoints/{endpointId}',
    needs: write,
  },
  testWebhook: { method: 'POST', path: '/v1/webhooks/test', needs: write },
  listWebhookEvents: { method: 'GET', path: '/v1/webhooks/events', needs: read },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/deliveries', needs: read },
  redeliverWebhook: {
    method: 'POST',
    path: '/v1/webhooks/deliveries/{deliveryId}/redeliver',
    needs: write,
  },
  listPresets: { method: 'GET', path: '/v1/presets', needs: read },
  getPreset: { method: 'GET', path: '/v1/presets/{presetName}', needs: read },
  putPreset: { method: 'PUT', path: '/v1/presets/{presetName}', needs: write },
  deletePreset: { method: 'DELETE', path: '/v1/presets/{presetName}', needs: write },
  listStorages: { method: 'GET', path: '/v1/storages', needs: read },
  getStorage: { method: 'GET', path: '/v1/storages/{storageName}', needs: read },
  putStorage: { method: 'PUT', path: '/v1/storages/{storageName}', needs: write },
  deleteStorage: { method: 'DELETE', path: '/v1/storages/{storageName}', needs: write },
  getUsage: { method: 'GET', path: '/v1/usage', needs: read },
  createKey: { method: 'POST', path: '/v1/keys', needs: manage },
  listKeys: { method: 'GET', path: '/v1/keys', needs: manage },
  getKey: { method: 'GET', path: '/v1/keys/{keyId}', needs: manage },
  renameKey: { method: 'PATCH', path: '/v1/keys/{keyId}', needs: manage },
  revokeKey: { method: 'DELETE', path: '/v1/keys/{keyId}', needs: manage },
  getFile: { method: 'GET', path: '/files/{token}/{name}', needs: 'open' },
  preflightFile: { method: 'OPTIONS', path: '/files/{token}/{name}', needs: 'open' },
  getHealth: { method: 'GET', path: '/health', needs: 'open' },
  getOpenapi: { method: 'GET', path: '/openapi.json', needs: 'open' },
  getDocs: { method: 'GET', path: '/docs', needs: 'open' },
} as const satisfies Record<string, Route>
export type PublicRoute = keyof typeof publicRoutes

const attempts = '/internal/jobs/{jobId}/attempts/{fence}'
const reports = `${attempts}/reports` as const
const partReports = `${attempts}/parts/{n}/{try}/reports` as const

/**
 * For browsers, media workers, the operator and agents; not part of the public interface. Media workers and the operator
 * sign their requests instead of sending a key.
 */
export const ownRoutes = {
  showFront: { method: 'GET', path: '/', needs: 'open' },
  showReference: { method: 'GET', path: '/docs/reference', needs: 'open' },
  showReferencePage: { method: 'GET', path: '/docs/reference/{name}', needs: 'open' },
  showGuide: { method: 'GET', path: '/docs/{name}', needs: 'open' },
  showGuideFile: { method: 'GET', path: '/docs/{folder}/{name}', needs: 'open' },
  getModelIndex: { method: 'GET', path: '/llms.txt', needs: 'open' },
  getModelText: { method: 'GET', path: '/llms-full.txt', needs: 'open' },
  getIcon: { method: 'GET', path: '/favicon.svg', needs: 'open' },
  getRobots: { method: 'GET', path: '/robots.txt', needs: 'open' },
  getScript: { method: 'GET', path: '/scripts/{name}', needs: 'open' },
  getClient: { method: 'GET', path: '/client/{name}', needs: 'open' },
  reportAttempt: { method: 'POST', path: reports, needs: 'open' },
  grantOutput: { method: 'POST', path: `${reports}/outputs`, needs: 'open' },
  askParts: { method: 'POST', path: `${reports}/parts`, needs: 'open' },
  reportPart: { method: 'POST', path: partReports, needs: 'open' },
  grantPartOutput: { method: 'POST', path: `${partReports}/outputs`, needs: 'open' },
  readStorage: { method: 'GET', path: '/internal/storage/{token}', needs: 'open' },
  writeStorage: { method: 'PUT', path: '/internal/storage/{token}', needs: 'open' },
  getMetrics: { method: 'GET', path: '/metrics', needs: 'open' },
  administer: { method: 'POST', path: adminPath, needs: 'open' },
  // Needs a key, whose scopes are judged by the tool that is called.
  serveMcp: { method: 'POST', path: '/mcp', needs: 'open' },
} as const satisfies Record<string, Route>
export type OwnRoute = keyof typeof ownRoutes

/** Who may see a page: anyone, people who are signed in, owners of their account, operators of the service. */
export type PageReader = 'anyone' | 'member' | 'owner' | 'operator'

export type PageRoute = { method: 'GET' | 'POST'; path: string; for: PageReader }

/** The pages of the dashboard and what their forms post to. */
export const appRoutes = {
  openApp: { method: 'GET', path: '/app', for: 'member' },
  showVideos: { method: 'GET', path: '/app/videos', for: 'member' },
  actOnVideos: { method: 'POST', path: '/app/videos', for: 'member' },
  showNewVideo: { method: 'GET', path: '/app/videos/new', for: 'member' },
  submitNewVideo: { method: 'POST', path: '/app/videos/new', for: 'member' },
  // Pages with a name of their own, such as /app/videos/new, must come before these.
  showVideo: { method: 'GET', path: '/app/videos/{videoId}', for: 'member' },
  renameVideo: { method: 'POST', path: '/app/videos/{videoId}', for: 'member' },
  nameSpeakers: { method: 'POST', path: '/app/videos/{videoId}/speakers', for: 'member' },
  sendSource: { method: 'GET', path: '/app/videos/{videoId}/source', for: 'member' },
  showComparison: { method: 'GET', path: '/app/videos/{videoId}/compare', for: 'member' },
  showShared: { method: 'GET', path: '/app/shared/{token}', for: 'anyone' },
  sendSharedSource: { method: 'GET', path: '/app/shared/{token}/source', for: 'anyone' },
  showBatches: { method: 'GET', path: '/app/batches', for: 'member' },
  showBatch: { method: 'GET', path: '/app/batches/{batchId}', for: 'member' },
  postBatchCancel: { method: 'POST', path: '/app/batches/{batchId}', for: 'member' },
  showKeys: { method: 'GET', path: '/app/keys', for: 'owner' },
  postKey: { method: 'POST', path: '/app/keys', for: 'owner' },
  confirmRevoking: { method: 'GET', path: '/app/keys/{keyId}/revoke', for: 'owner' },
  postRevoking: { method: 'POST', path: '/app/keys/{keyId}/revoke', for: 'owner' },
  showWebhooks: { method: 'GET', path: '/app/webhooks', for: 'member' },
  postTest: { method: 'POST', path: '/app/webhooks/test', for: 'member' },
  confirmRotation: { method: 'GET', path: '/app/webhooks/rotate-secret', for: 'owner' },
  postRotation: { method: 'POST', path: '/app/webhooks/rotate-secret', for: 'owner' },
  postEndpoint: { method: 'POST', path: '/app/webhooks/endpoints', for: 'member' },
  postEndpointChange: {
    method: 'POST',
    path: '/app/webhooks/endpoints/{endpointId}',
    for: 'member',
  },
  showDelivery: { method: 'GET', path: '/app/webhooks/deliveries/{deliveryId}', for: 'member' },
  postRedelivery: {
    method: 'POST',
    path: '/app/webhooks/deliveries/{deliveryId}/redeliver',
    for: 'member',
  },
  showStorages: { method: 'GET', path: '/app/storages', for: 'member' },
  postStorage: { method: 'POST', path: '/app/storages', for: 'member' },
  showUsage: { method: 'GET', path: '/app/usage', for: 'member' },
  showOperator: { method: 'GET', path: '/app/operator', for: 'operator' },
  postReplay: { method: 'POST', path: '/app/operator/jobs/{jobId}/replay', for: 'operator' },
  showAbout: { method: 'GET', path: '/app/about', for: 'anyone' },
  showSignIn: { method: 'GET', path: '/app/sign-in', for: 'anyone' },
  signIn: { method: 'POST', path: '/app/sign-in', for: 'anyone' },
  showSignUp: { method: 'GET', path: '/app/sign-up', for: 'anyone' },
  signUp: { method: 'POST', path: '/app/sign-up', for: 'anyone' },
  showConfirm: { method: 'GET', path: '/app/sign-up/{token}', for: 'anyone' },
  confirmSignUp: { method: 'POST', path: '/app/sign-up/{token}', for: 'anyone' },
  showWelcome: { method: 'GET', path: '/app/welcome', for: 'anyone' },
  showAskReset: { method: 'GET', path: '/app/reset', for: 'anyone' },
  askReset: { method: 'POST', path: '/app/reset', for: 'anyone' },
  showReset: { method: 'GET', path: '/app/reset/{token}', for: 'anyone' },
  reset: { method: 'POST', path: '/app/reset/{token}', for: 'anyone' },
  openLink: { method: 'GET', path: '/app/link/{token}', for: 'anyone' },
  showInvitation: { method: 'GET', path: '/app/invitations/{token}', for: 'anyone' },
  joinAccount: { method: 'POST', path: '/app/invitations/{token}', for: 'member' },
  signOut: { method: 'POST', path: '/app/sign-out', for: 'member' },
  showSettings: { method: 'GET', path: '/app/settings', for: 'member' },
  changeName: { method: 'POST', path: '/app/settings/profile', for: 'member' },
  changeEmail: { method: 'POST', path: '/app/settings/email', for: 'member' },
  confirmEmail: { method: 'GET', path: '/app/settings/email/{token}', for: 'member' },
  changePassword: { method: 'POST', path: '/app/settings/password', for: 'member' },
  endOneSession: { method: 'POST', path: '/app/settings/sessions/end', for: 'member' },
  endOtherSessions: { method: 'POST', path: '/app/settings/sessions/end-others', for: 'member' },
  changeRole: { method: 'POST', path: '/app/settings/people/role', for: 'owner' },
  removePerson: { method: 'POST', path: '/app/settings/people/remove', for: 'member' },
  invite: { method: 'POST', path: '/app/settings/invitations', for: 'owner' },
  withdraw: { method: 'POST', path: '/app/settings/invitations/withdraw', for: 'owner' },
  renameAccount: { method: 'POST', path: '/app/settings/account', for: 'owner' },
  changeArchive: { method: 'POST', path: '/app/settings/archive', for: 'owner' },
  switchAccount: { method: 'POST', path: '/app/settings/switch', for: 'member' },
} as const satisfies Record<string, PageRoute>
export type AppRoute = keyof typeof appRoutes

/** Below this the dashboard's scripts find everything that is below /v1, for who is signed in. */
export const appApiPath = '/app/api'

/** A path as the router writes it. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
