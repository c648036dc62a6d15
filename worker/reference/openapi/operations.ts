import { publicRoutes, type PublicRoute } from '../../contract/routes.ts'
import { bodyName, type Described } from './describe-operation.ts'
import * as batches from './operations/batches.ts'
import * as files from './operations/files.ts'
import * as jobs from './operations/jobs.ts'
import * as keys from './operations/keys.ts'
import * as presets from './operations/presets.ts'
import * as service from './operations/service.ts'
import * as storages from './operations/storages.ts'
import * as uploads from './operations/uploads.ts'
import * as usage from './operations/usage.ts'
import * as videos from './operations/videos.ts'
import * as webhooks from './operations/webhooks.ts'
import type { Body } from './bodies.ts'

function group(name: string, description: string, operations: Readonly<Record<string, Described>>) {
  return { name, description, operations }
}

/** The tags of the document in its order, each with its operations. */
export const groups = [
  group('Videos', 'Create a video, follow it, and fetch the result.', videos),
  group('Batches', 'Create many videos at once, and be told once when all have ended.', batches),
  group('Uploads', 'Send a file in parts, then make a video from it.', uploads),
  group('Jobs', 'Look into the work on a video.', jobs),
  group('Files', 'Download what the links of a record point to.', files),
  group('Presets', 'Options kept under a name, for requests to start from.', presets),
  group(
    'Storages',
    'Buckets of your own, which sources come from and results are delivered to.',
    storages,
  ),
  group('Usage', 'What your account has used, by day, and what is left now.', usage),
  group('Keys', 'API keys of your account, for programs and people.', keys),
  group('Service', 'The service itself; no key needed.', service),
  group(
    'Deliveries',
    'Endpoints that get every event, what happened to your webhooks, and the secret that signs them.',
    webhooks,
  ),
]

/** By name. The router answers HEAD wherever it answers GET, but only the HEAD of a file is worth describing. */
export const operations: Readonly<Record<PublicRoute | 'headFile', Described>> = {
  ...videos,
  ...batches,
  ...uploads,
  ...jobs,
  ...files,
  ...presets,
  ...storages,
  ...usage,
  ...keys,
  ...service,
  ...webhooks,
}

/** The body of every request that has one, in the order of the routes. */
export const bodies: readonly [name: string, body: Body][] = Object.keys(publicRoutes).flatMap(
  (name): [string, Body][] => {
    // Object.keys() loses the type of the keys; the table has no others.
    const { body } = operations[name as PublicRoute]
    return body ? [[bodyName(name), body]] : []
  },
)
