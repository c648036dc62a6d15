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

/** The tags of the document in its order, each with its operations. */
export const groups: readonly {
  name: string
  description: string
  operations: Readonly<Record<string, Described>>
}[] = [
  {
    name: 'Videos',
    description: 'Create a video, follow it, and fetch the result.',
    operations: videos,
  },
  {
    name: 'Batches',
    description: 'Create many videos at once, and be told once when all have ended.',
    operations: batches,
  },
  {
    name: 'Uploads',
    description: 'Send a file in parts, then make a video from it.',
    operations: uploads,
  },
  { name: 'Jobs', description: 'Look into the work on a video.', operations: jobs },
  {
    name: 'Files',
    description: 'Download what the links of a record point to.',
    operations: files,
  },
  {
    name: 'Presets',
    description: 'Options kept under a name, for requests to start from.',
    operations: presets,
  },
  {
    name: 'Storages',
    description: 'Buckets of your own, which sources come from and results are delivered to.',
    operations: storages,
  },
  {
    name: 'Usage',
    description: 'What your account has used, by day, and what is left now.',
    operations: usage,
  },
  {
    name: 'Keys',
    description: 'API keys of your account, for programs and people.',
    operations: keys,
  },
  { name: 'Service', description: 'The service itself; no key needed.', operations: service },
  {
    name: 'Deliveries',
    description:
      'Endpoints that get every event, what happened to your webhooks, and the secret that signs them.',
    operations: webhooks,
  },
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
